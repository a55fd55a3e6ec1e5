/**
 * The console's addresses, all of them in the hash: which page one names, of what, and what is filtered there. Addresses of earlier
 * releases lead where their page is now. Pure.
 */

export type Page =
  | "overview"
  | "runs"
  | "run"
  | "workflows"
  | "workflow"
  | "editor"
  | "diff"
  | "queue"
  | "queue-jobs"
  | "job"
  | "workers"
  | "worker"
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
  /**
   * The id of the run, the job, the worker or the account, a queue's, workflow's or project's name, the code of a login, the older of two
   * versions; empty where the place has none.
   */
  readonly id: string;
  /** The part of the page that is asked for, or the version of a workflow; empty for the first one, or for all. */
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
/** The documentation, which the server brings along. */
export const DOCS = "/docs/";
/** Its pages about refusals and diagnostics, each under its code. */
const ERRORS = `${DOCS}errors/`;

const PATTERNS: readonly (readonly [RegExp, Page])[] = [
  [/^(?:#\/?)?()$/, "overview"],
  [/^#\/runs()$/, "runs"],
  [/^#\/runs\/([^/]+)(?:\/(graph|overview|timeline|nodes|node|jobs|result|log|about))?$/, "run"],
  [/^#\/workflows()$/, "workflows"],
  [/^#\/workflows\/([^/]+)$/, "workflows"],
  [/^#\/workflows\/([^/]+)\/([0-9a-f]{64})$/, "workflow"],
  [/^#\/workflows\/([^/]+)(?:\/([0-9a-f]{64}))?\/edit$/, "editor"],
  [/^#\/diff\/([0-9a-f]{64})\/([0-9a-f]{64})$/, "diff"],
  [/^#\/queue()$/, "queue"],
  [/^#\/queues\/([^/]+)$/, "queue-jobs"],
  [/^#\/jobs\/([^/]+)$/, "job"],
  [/^#\/workers()$/, "workers"],
  [/^#\/workers\/([^/]+)$/, "worker"],
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
  const { id, tab, query } = routeOf(hash);
  // The page of no node is the graph, where one can be chosen.
  if (tab === "node" && !query.get("node")) return runAddress(id);
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

/** The address with those that are not empty. */
export function withQuery(path: string, entries: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(Object.entries(entries).filter(([, value]) => value !== "")).toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The names in an entry that has several; empty where it cannot be read. Names may hold anything, commas as well. */
export function listIn(text: string): readonly string[] {
  try {
    return text === "" ? [] : text.split(",").map(decodeURIComponent);
  } catch {
    return [];
  }
}

export function listText(names: readonly string[]): string {
  return names.map(encodeURIComponent).join(",");
}

export function runAddress(id: string): string {
  return `${RUNS}/${encodeURIComponent(id)}`;
}

/** A part of its page; the graph, which is the first one, has the address of the run itself. */
export function runPartAddress(id: string, part: string): string {
  return part === "graph" ? runAddress(id) : `${runAddress(id)}/${part}`;
}

export function runJobsAddress(id: string): string {
  return runPartAddress(id, "jobs");
}

export function workflowAddress(name: string): string {
  return `${WORKFLOWS}/${encodeURIComponent(name)}`;
}

/** One version of it. */
export function versionAddress(name: string, workflow: string): string {
  return `${workflowAddress(name)}/${workflow}`;
}

/** The graph of a run, with this node told of beside it. */
export function runNodeAddress(run: string, node: string): string {
  return withQuery(runAddress(run), { node });
}

/** The same node as a page. */
export function nodePageAddress(run: string, node: string): string {
  return withQuery(`${runAddress(run)}/node`, { node });
}

/** The editor of a version; without a hash, of a new workflow, which begins with what `from` names. */
export function editAddress(name: string, hash: string, from = ""): string {
  const version = hash === "" ? "" : `/${hash}`;
  return withQuery(`${workflowAddress(name)}${version}/edit`, { from });
}

export function diffAddress(from: string, to: string): string {
  return `#/diff/${from}/${to}`;
}

export function queueAddress(name: string): string {
  return `#/queues/${encodeURIComponent(name)}`;
}

export function jobAddress(id: string): string {
  return `#/jobs/${encodeURIComponent(id)}`;
}

export function workerAddress(id: string): string {
  return `${WORKERS}/${encodeURIComponent(id)}`;
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
  return `${ERRORS}${encodeURIComponent(code)}.html`;
}
