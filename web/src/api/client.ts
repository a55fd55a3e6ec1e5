/**
 * What the console asks of the server about runs, jobs and workflows, as functions. Paths and methods are those of `routes.gen.ts`.
 *
 * Never touches the DOM.
 */

import { answerOf, ask } from "./ask.ts";
import { chosenProject } from "./chosen.ts";
import * as routes from "./routes.gen.ts";
import type {
  JobHistory,
  JobPage,
  JobResult,
  NamedWorkflowView,
  QueueView,
  RunCreated,
  RunPage,
  RunResult,
  RunState,
  RunView,
} from "./types.gen.ts";

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

const AS_STORED: RunSettings = { inputs: [], reuse: false };

export function certificatePath(run: string): string {
  return `${routes.showRun(run).path}/certificate`;
}

/** News of the chosen project's runs, and of the fleet. */
export function fleetEventsPath(): string {
  return routes.events({ project: chosenProject() }).path;
}

export function runEventsPath(run: string): string {
  return routes.runEvents(run).path;
}

/** Uploads a workflow and starts a run of it. @throws Refusal */
export function createRun({ name, files }: WorkflowUpload): Promise<RunCreated> {
  const body = formInProject();
  if (name !== "") body.append("name", name);
  for (const file of files) body.append("file", file.content, file.name);
  return ask(routes.createRun(), { body });
}

/** Starts a run of a workflow that the server has, under a name of its own. @throws Refusal */
export function runStored(workflow: string, name: string, { inputs, reuse } = AS_STORED): Promise<RunCreated> {
  const body = formInProject();
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

/** Lets the jobs of a stopped code go, in its queue. @throws Refusal */
export function resumeCode(code: string, queue: string): Promise<QueueView> {
  return ask(routes.resumeCode(code, { project: chosenProject(), queue }));
}

/** Stand-alone jobs of a queue, oldest first, behind those of the page before. @throws Refusal */
export function listQueued(queue: string, after: string | null, limit: number): Promise<JobPage> {
  return ask(routes.listJobs({ project: chosenProject(), queue, after, limit }));
}

/** Jobs of a run by their path, behind those of the page before. @throws Refusal */
export function listRunJobs(run: string, after: string | null, limit: number): Promise<JobPage> {
  return ask(routes.runJobs(run, { after, limit }));
}

/** A job and all its attempts. @throws Refusal */
export function getJob(job: string): Promise<JobHistory> {
  return ask(routes.showJob(job));
}

/** Ends a stand-alone job; answers how it has ended, which may be otherwise. @throws Refusal */
export function cancelJob(job: string): Promise<JobResult> {
  return ask(routes.cancelJob(job));
}

/** The newest versions by name. @throws Refusal */
export async function listWorkflows(): Promise<readonly NamedWorkflowView[]> {
  return (await ask(routes.listWorkflows({ project: chosenProject(), limit: LISTED_VERSIONS }))).workflows;
}

/** Runs that were made before this one, the newest first, as far as they fit. @throws Refusal */
export function listRuns(
  fits: { readonly state: RunState | null; readonly workflow: string | null },
  after: string | null,
): Promise<RunPage> {
  return ask(routes.listRuns({ project: chosenProject(), ...fits, after }));
}

/** @throws Refusal */
export function getRun(run: string): Promise<RunView> {
  return ask(routes.showRun(run));
}

/** What is uploaded goes into the chosen project. */
function formInProject(): FormData {
  const body = new FormData();
  const project = chosenProject();
  if (project !== null) body.append("project", project);
  return body;
}

/** The bytes of an answer of the API. @throws Refusal */
export async function getBytes(path: string): Promise<Blob> {
  return (await answerOf({ method: "GET", path })).blob();
}
