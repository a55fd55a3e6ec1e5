/**
 * The console's addresses: `#/` is the overview, `#/runs/<id>` a run's page, `#/runs/<id>/jobs` its jobs, `#/queues/<name>` the
 * stand-alone jobs of a queue, `#/jobs/<id>` a job's page, `#/devices` tells whom answers come from; `#/me`, `#/people`,
 * `#/people/<id>` and `#/audit` are about people, `#/projects`, `#/projects/<name>` and `#/projects/<name>/audit` about projects, and
 * `#/login/<code>` lets a program in.
 */

export type Page =
  | "home"
  | "run"
  | "run-jobs"
  | "queue"
  | "job"
  | "devices"
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
  /** The id of the run, the job or the account, the queue's or the project's name, the code of a login; empty where the place has none. */
  readonly id: string;
}

const OVERVIEW: Route = { page: "home", id: "" };

export const HOME = "#/";

const PATTERNS: readonly (readonly [RegExp, Page])[] = [
  [/^#\/runs\/([^/]+)$/, "run"],
  [/^#\/runs\/([^/]+)\/jobs$/, "run-jobs"],
  [/^#\/queues\/([^/]+)$/, "queue"],
  [/^#\/jobs\/([^/]+)$/, "job"],
  [/^#\/devices()$/, "devices"],
  [/^#\/me()$/, "me"],
  [/^#\/people()$/, "people"],
  [/^#\/people\/([^/]+)$/, "person"],
  [/^#\/projects()$/, "projects"],
  [/^#\/projects\/([^/]+)$/, "project"],
  [/^#\/projects\/([^/]+)\/audit$/, "project-audit"],
  [/^#\/audit()$/, "audit"],
  [/^#\/login\/([^/]+)$/, "login"],
];

/** What a hash names; the overview where it names nothing. */
export function routeOf(hash: string): Route {
  for (const [pattern, page] of PATTERNS) {
    const coded = pattern.exec(hash)?.[1];
    if (coded !== undefined) return decoded(page, coded);
  }
  return OVERVIEW;
}

export function runAddress(id: string): string {
  return `#/runs/${encodeURIComponent(id)}`;
}

export function runJobsAddress(id: string): string {
  return `${runAddress(id)}/jobs`;
}

export function queueAddress(name: string): string {
  return `#/queues/${encodeURIComponent(name)}`;
}

export function jobAddress(id: string): string {
  return `#/jobs/${encodeURIComponent(id)}`;
}

export const PEOPLE = "#/people";

export function personAddress(account: string): string {
  return `${PEOPLE}/${encodeURIComponent(account)}`;
}

export const PROJECTS = "#/projects";

export function projectAddress(slug: string): string {
  return `${PROJECTS}/${encodeURIComponent(slug)}`;
}

export function projectAuditAddress(slug: string): string {
  return `${projectAddress(slug)}/audit`;
}

function decoded(page: Page, coded: string): Route {
  try {
    return { page, id: decodeURIComponent(coded) };
  } catch {
    return OVERVIEW;
  }
}
