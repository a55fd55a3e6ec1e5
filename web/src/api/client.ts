/**
 * The server's HTTP API as functions. Its paths and methods are those of `routes.gen.ts`.
 *
 * Owns turning a refusal of any kind into a `Refusal` with words for people. Never touches the DOM.
 */

import * as routes from "./routes.gen.ts";
import type { Route } from "./routes.gen.ts";
import { isSignedOut, sessionHeaders } from "./session.ts";
import type {
  AimView,
  DiagnosticView,
  JobHistory,
  JobPage,
  JobResult,
  NamedWorkflowView,
  Problem,
  QueueView,
  RunCreated,
  RunPage,
  RunResult,
  RunView,
  SessionOpened,
} from "./types.gen.ts";

export const FLEET_EVENTS = routes.events().path;

export interface WorkflowFile {
  /** Relative to the workflow's folder, with `/`. */
  readonly name: string;
  readonly content: Blob;
}

export interface WorkflowUpload {
  /** What people call it; empty where only the document's own name is known. */
  readonly name: string;
  readonly files: readonly WorkflowFile[];
}

/** Another value for a value node, in one run. */
export interface RunInput {
  readonly id: string;
  /** As the attribute `value` of such a node is written. */
  readonly value: string;
}

export interface RunSettings {
  readonly inputs: readonly RunInput[];
  /** Whether jobs that give the same value every time may take the stored result of an equal one. */
  readonly reuse: boolean;
}

/** Those of one page at most. */
const LISTED_VERSIONS = 1000;

/** The status of an answer without a body (RFC 9110, section 15.3.5). */
const NO_CONTENT = 204;

const AS_STORED: RunSettings = { inputs: [], reuse: false };

/** What is read of a refusal's body. */
type Refused = Pick<Problem, "code" | "detail" | "diagnostics">;

/** The server said no, or could not be asked. */
export class Refusal extends Error {
  readonly code: string;
  readonly diagnostics: readonly DiagnosticView[];

  constructor({ code, detail, diagnostics = [] }: Refused) {
    super(detail);
    this.code = code;
    this.diagnostics = diagnostics;
  }
}

export function resultPath(run: string): string {
  return routes.runResult(run).path;
}

export function jobResultPath(job: string): string {
  return routes.jobResult(job).path;
}

export function runEventsPath(run: string): string {
  return routes.runEvents(run).path;
}

/** Uploads a workflow and starts a run of it. @throws Refusal */
export function createRun({ name, files }: WorkflowUpload): Promise<RunCreated> {
  const body = new FormData();
  if (name !== "") body.append("name", name);
  for (const file of files) body.append("file", file.content, file.name);
  return ask(routes.createRun(), { body });
}

/** Starts a run of a workflow that the server has, under a name of its own. @throws Refusal */
export function runStored(workflow: string, name: string, { inputs, reuse } = AS_STORED): Promise<RunCreated> {
  const body = new FormData();
  body.append("workflow", workflow);
  body.append("name", name);
  for (const { id, value } of inputs) body.append("set", `${id}=${value}`);
  if (reuse) body.append("reuse", "repeatable");
  return ask(routes.createRun(), { body });
}

/** Ends a run; answers how it has ended, which may be otherwise. @throws Refusal */
export function cancelRun(run: string): Promise<RunResult> {
  return ask(routes.cancelRun(run));
}

/** Nothing of a paused run is handed out. @throws Refusal */
export function setRunPaused(run: string, paused: boolean): Promise<RunView> {
  return ask(paused ? routes.pauseRun(run) : routes.resumeRun(run));
}

/** @throws Refusal */
export function getQueue(): Promise<QueueView> {
  return ask(routes.showQueue());
}

/** Nothing at all is handed out while the queue is paused. @throws Refusal */
export function setQueuePaused(paused: boolean): Promise<QueueView> {
  return ask(paused ? routes.pauseQueue() : routes.resumeQueue());
}

/** Stand-alone jobs of a queue, oldest first, behind those of the page before. @throws Refusal */
export function listQueued(queue: string, after: string | null, limit: number): Promise<JobPage> {
  return ask(routes.listJobs({ queue, after, limit }));
}

/** Jobs of a run by their path, behind those of the page before. @throws Refusal */
export function listRunJobs(run: string, after: string | null, limit: number): Promise<JobPage> {
  return ask(routes.runJobs(run, { after, limit }));
}

/** A job and all its attempts. @throws Refusal */
export function getJob(job: string): Promise<JobHistory> {
  return ask(routes.showJob(job));
}

/** What a job has come to so far. @throws Refusal */
export function getJobResult(job: string): Promise<JobResult> {
  return ask(routes.jobResult(job));
}

/** Ends a stand-alone job; answers how it has ended, which may be otherwise. @throws Refusal */
export function cancelJob(job: string): Promise<JobResult> {
  return ask(routes.cancelJob(job));
}

/** The newest versions by name. @throws Refusal */
export async function listWorkflows(): Promise<readonly NamedWorkflowView[]> {
  return (await ask(routes.listWorkflows({ limit: LISTED_VERSIONS }))).workflows;
}

/** Runs that were made before this one, the newest first. @throws Refusal */
export function listRunsBefore(run: string): Promise<RunPage> {
  return ask(routes.listRuns({ after: run }));
}

/** What the runs of a workflow are for, and how far they are together. @throws Refusal */
export function getAim(workflow: string, signal: AbortSignal): Promise<AimView> {
  return read(routes.showAim(workflow), { signal });
}

/** @throws Refusal */
export function getRun(run: string): Promise<RunView> {
  return ask(routes.showRun(run));
}

/** The session that a link opens; its other half is in a cookie now. @throws Refusal */
export function openSession(link: string): Promise<SessionOpened> {
  return read(routes.openSession(), { body: JSON.stringify({ link }) });
}

/** The bytes of an answer of the API. @throws Refusal */
export async function getBytes(path: string): Promise<Blob> {
  return (await answer("GET", path, { headers: sessionHeaders() })).blob();
}

/** Asks in the name of the session. */
function ask<T>(route: Route<T>, request: RequestInit = {}): Promise<T> {
  return read(route, { ...request, headers: sessionHeaders() });
}

async function read<T>({ method, path }: Route<T>, request: RequestInit): Promise<T> {
  const found = await answer(method, path, request);
  return (found.status === NO_CONTENT ? undefined : await found.json()) as T;
}

async function answer(method: string, path: string, request: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...request, method });
  } catch {
    throw new Refusal({ code: "unreachable", detail: unreachable(request.body) });
  }
  if (response.ok) return response;
  const error = errorIn(await response.text(), response.status);
  isSignedOut(response.status, error.code);
  throw new Refusal(error);
}

/** A server that stops reading a body while it is still being sent looks like one that is not there. */
function unreachable(body: unknown): string {
  const first = "The server cannot be reached.";
  return body instanceof FormData ? `${first} It may also have ended an upload that is larger than it allows.` : first;
}

/** The error in a refusal's body, whatever stands in it: a proxy may answer in HTML. */
export function errorIn(body: string, status: number): Refused {
  try {
    const { code, detail, diagnostics } = JSON.parse(body) as Partial<Problem>;
    if (typeof code === "string" && typeof detail === "string") {
      return { code, detail, diagnostics: Array.isArray(diagnostics) ? diagnostics : [] };
    }
  } catch {
    // Falls through to the status alone.
  }
  return { code: `http_${status}`, detail: `The server answered with status ${status}.` };
}
