/**
 * The console's addresses, all of them in the hash: which page one names, of what, and what is filtered there. Addresses of earlier
 * releases lead where their page is now.
 *
 * Pure but for `replaceQuery`.
 */

export type Page =
  | "overview"
  | "runs"
  | "run"
  | "workflows"
  | "queue"
  | "queue-jobs"
  | "job"
  | "workers"
  | "settings"
  | "me"
  | "people"
  | "person"
  | "projects"
  | "project"
  | "project-audit"
  | "audit"
  | "login";

export interface Route {
  readonly page: Page;
  /** The id of the run, the job or the account, a queue's, workflow's or project's name, the code of a login; empty where the place has none. */
  readonly id: string;
  /** The part of the page that is asked for; empty for its first one. */
  readonly tab: string;
  readonly query: URLSearchParams;
}

export const HOME = "#/";
export const RUNS = "#/runs";
export const WORKFLOWS = "#/workflows";
export const QUEUE = "#/queue";
export const WORKERS = "#/workers";
export const SETTINGS = "#/settings";
export const PEOPLE = "#/people";
export const PROJECTS = "#/projects";
export const AUDIT = "#/audit";
export const ME = "#/me";
/** Where the server keeps the pages of its refusals, of diagnostics, and of all else that it explains. */
export const DOCS = "/docs/errors/";

const PATTERNS: readonly (readonly [RegExp, Page])[] = [
  [/^#\/runs()$/, "runs"],
  [/^#\/runs\/([^/]+)(?:\/(graph|timeline|nodes|jobs|result|log|about))?$/, "run"],
  [/^#\/workflows()$/, "workflows"],
  [/^#\/workflows\/([^/]+)$/, "workflows"],
  [/^#\/queue()$/, "queue"],
  [/^#\/queues\/([^/]+)$/, "queue-jobs"],
  [/^#\/jobs\/([^/]+)$/, "job"],
  [/^#\/workers()$/, "workers"],
  [/^#\/settings()$/, "settings"],
  [/^#\/me()$/, "me"],
  [/^#\/people()$/, "people"],
  [/^#\/people\/([^/]+)$/, "person"],
  [/^#\/projects()$/, "projects"],
  [/^#\/projects\/([^/]+)$/, "project"],
  [/^#\/projects\/([^/]+)\/audit$/, "project-audit"],
  [/^#\/audit()$/, "audit"],
  [/^#\/login\/([^/]+)$/, "login"],
];

/** Addresses of earlier releases. */
const MOVED: ReadonlyMap<string, string> = new Map([["#/devices", WORKERS]]);

/** The address to go to instead; `undefined` where this one is right. */
export function movedTo(hash: string): string | undefined {
  return MOVED.get(hash);
}

/** What a hash names; the overview where it names nothing. */
export function routeOf(hash: string): Route {
  const [path = "", asked = ""] = hash.split("?", 2);
  const query = new URLSearchParams(asked);
  for (const [pattern, page] of PATTERNS) {
    const [, coded, tab = ""] = pattern.exec(path) ?? [];
    if (coded === undefined) continue;
    const id = decoded(coded);
    return id === undefined ? overview() : { page, id, tab, query };
  }
  return overview();
}

function overview(): Route {
  return { page: "overview", id: "", tab: "", query: new URLSearchParams() };
}

function decoded(coded: string): string | undefined {
  try {
    return decodeURIComponent(coded);
  } catch {
    return undefined;
  }
}

/** Writes what is filtered into the address, without another step back. */
export function replaceQuery(entries: Readonly<Record<string, string>>): void {
  const [path = ""] = location.hash.split("?", 1);
  history.replaceState(null, "", withQuery(path === "" ? HOME : path, entries));
}

/** The address with those that are not empty. */
export function withQuery(path: string, entries: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(Object.entries(entries).filter(([, value]) => value !== "")).toString();
  return text === "" ? path : `${path}?${text}`;
}

export function runAddress(id: string): string {
  return `${RUNS}/${encodeURIComponent(id)}`;
}

export function runJobsAddress(id: string): string {
  return `${runAddress(id)}/jobs`;
}

export function workflowAddress(name: string): string {
  return `${WORKFLOWS}/${encodeURIComponent(name)}`;
}

export function queueAddress(name: string): string {
  return `#/queues/${encodeURIComponent(name)}`;
}

export function jobAddress(id: string): string {
  return `#/jobs/${encodeURIComponent(id)}`;
}

export function personAddress(account: string): string {
  return `${PEOPLE}/${encodeURIComponent(account)}`;
}

export function projectAddress(slug: string): string {
  return `${PROJECTS}/${encodeURIComponent(slug)}`;
}

export function projectAuditAddress(slug: string): string {
  return `${projectAddress(slug)}/audit`;
}

/** The page of a refusal or a diagnostic. */
export function errorAddress(code: string): string {
  return `${DOCS}${encodeURIComponent(code)}.html`;
}
