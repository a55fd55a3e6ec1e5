/**
 * What the console asks of the server about runs, jobs and workflows, as functions. Paths and methods are those of `routes.gen.ts`.
 *
 * Never touches the DOM.
 */

import { answerOf, ask, tell } from "./ask.ts";
import { chosenProject } from "./chosen.ts";
import * as routes from "./routes.gen.ts";
import type {
  ExampleView,
  GraphLayers,
  GraphStack,
  GraphView,
  JobHistory,
  JobPage,
  JobResult,
  LogPage,
  NamedWorkflowView,
  NodeDetail,
  NodeKind,
  NodePage,
  NodeState,
  ProfileView,
  QueueView,
  RunCreated,
  RunOriginView,
  RunPage,
  RunResult,
  RunState,
  RunView,
  SeriesView,
  SettingsView,
  TimelineView,
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

/** Which nodes of a run are asked for: those that are called so, in this state, of this kind. */
export interface NodeFilter {
  readonly q?: string;
  readonly state?: NodeState;
  readonly kind?: NodeKind;
  readonly sort?: string;
}

/** Those of one page at most. */
const LISTED_VERSIONS = 1000;

const AS_STORED: RunSettings = { inputs: [], reuse: false };

export function certificatePath(run: string): string {
  return `${routes.showRun(run).path}/certificate`;
}

/** The states of all nodes of a run, an octet each. */
export function runStatesPath(run: string): string {
  return `${routes.showRun(run).path}/states`;
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

/** The workflows that the server brings along. @throws Refusal */
export function listExamples(): Promise<readonly ExampleView[]> {
  return ask(routes.listExamples());
}

/** Starts a run of a workflow that the server brings along. @throws Refusal */
export function runExample(name: string): Promise<RunCreated> {
  const body = formInProject();
  body.append("example", name);
  return ask(routes.createRun(), { body });
}

/** Where a run comes from; stays as it is. @throws Refusal */
export function getOrigin(run: string): Promise<RunOriginView> {
  return ask(routes.runOrigin(run));
}

/** What a run computed over time; changes while it goes on. @throws Refusal */
export function getProfile(run: string): Promise<ProfileView> {
  return ask(routes.runProfile(run));
}

/** How the server has fared. @throws Refusal */
export function getSeries(span: string): Promise<SeriesView> {
  return ask(routes.showSeries({ span }));
}

/** Ends a run; answers how it has ended, which may be otherwise. @throws Refusal */
export function cancelRun(run: string): Promise<RunResult> {
  return ask(routes.cancelRun(run));
}

/** Nothing of a paused run is handed out. @throws Refusal */
export function pauseRun(run: string, note: string): Promise<RunView> {
  return tell(routes.pauseRun(run), { note });
}

/** @throws Refusal */
export function resumeRun(run: string): Promise<RunView> {
  return ask(routes.resumeRun(run));
}

/** What the server was started with. @throws Refusal */
export function getSettings(): Promise<SettingsView> {
  return ask(routes.showSettings());
}

/** @throws Refusal */
export function getQueue(): Promise<QueueView> {
  return ask(routes.showQueue());
}

/** Nothing at all is handed out while the queue is paused. @throws Refusal */
export function pauseQueue(note: string): Promise<QueueView> {
  return tell(routes.pauseQueue(), { note });
}

/** @throws Refusal */
export function resumeQueue(): Promise<QueueView> {
  return ask(routes.resumeQueue());
}

/** Lets the jobs of a stopped code go, in its queue. @throws Refusal */
export function resumeCode(code: string, queue: string): Promise<QueueView> {
  return ask(routes.resumeCode(code, { project: chosenProject(), queue }));
}

/** Which jobs of a run or a queue; those that went wrong at least once where `failed` says so, those alone that have a text where it is not empty. */
export interface JobsFilter {
  readonly state: NodeState | null;
  readonly node: string | null;
  readonly failed: boolean;
  readonly text: string;
}

/** Stand-alone jobs of a queue as far as they fit, in this order, behind those of the page before. @throws Refusal */
export function listQueued(
  queue: string,
  { state, failed, text }: Omit<JobsFilter, "node">,
  sort: string,
  after: string | null,
  limit: number,
): Promise<JobPage> {
  const fits = { state, q: text === "" ? null : text, failed: failed || null };
  return ask(routes.listJobs({ project: chosenProject(), queue, ...fits, sort, after, limit }));
}

/** Jobs of a run as far as they fit, behind those of the page before. @throws Refusal */
export function listRunJobs(run: string, { failed, text, ...fits }: JobsFilter, after: string | null, limit: number): Promise<JobPage> {
  return ask(routes.runJobs(run, { ...fits, q: text === "" ? null : text, failed: failed || null, after, limit }));
}

/** What the jobs of a run have logged, behind the page before; those entries alone that have a text where it is not empty. @throws Refusal */
export function readRunLog(run: string, text: string, after: string | null, limit: number): Promise<LogPage> {
  return ask(routes.runLog(run, { q: text === "" ? null : text, after, limit }));
}

/** Who did what of a run when, in all of its time or in this. @throws Refusal */
export function readRunTimeline(run: string, span?: { readonly from: number; readonly to?: number }): Promise<TimelineView> {
  return ask(routes.runTimeline(run, span ?? {}));
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

/** Runs behind this one, the newest first, or by name where `q` says how it begins, as far as they fit. @throws Refusal */
export function listRuns(
  fits: { readonly state: RunState | null; readonly workflow: string | null; readonly q?: string | null; readonly sort?: string },
  after: string | null,
  limit: number | null = null,
): Promise<RunPage> {
  return ask(routes.listRuns({ project: chosenProject(), ...fits, after, limit }));
}

/** @throws Refusal */
export function getRun(run: string): Promise<RunView> {
  return ask(routes.showRun(run));
}

/** What is uploaded goes into the chosen project. */
export function formInProject(): FormData {
  const body = new FormData();
  const project = chosenProject();
  if (project !== null) body.append("project", project);
  return body;
}

/** The bytes of an answer of the API. @throws Refusal */
export async function getBytes(path: string): Promise<Blob> {
  return (await answerOf({ method: "GET", path })).blob();
}

/** Nodes of a run in document order, behind those of the page before. @throws Refusal */
export function listNodes(run: string, fits: NodeFilter, after: string | null, limit: number): Promise<NodePage> {
  return ask(routes.runNodes(run, { ...fits, after, limit }));
}

/** @throws Refusal */
export function getNode(run: string, node: string): Promise<NodeDetail> {
  return ask(routes.showNode(run, node));
}

/** A part of a workflow's picture: a window of it, or what is around a node. @throws Refusal */
export async function getGraph(
  workflow: string,
  part: { readonly after: string } | { readonly node: string; readonly hops: number },
): Promise<GraphView> {
  const query = "node" in part ? { near: part.node, hops: part.hops } : { after: part.after === "" ? null : part.after };
  return (await ask(routes.showGraph(workflow, query))) as GraphView;
}

/** For each node of a workflow its layer and its item. @throws Refusal */
export async function getLayers(workflow: string): Promise<GraphLayers> {
  return (await ask(routes.showGraph(workflow, { layers: "" }))) as GraphLayers;
}

/** Nodes of the stack that a node is in, behind one of them. @throws Refusal */
export async function getStack(workflow: string, node: string, after: string | null): Promise<GraphStack> {
  return (await ask(routes.showGraph(workflow, { group: node, after }))) as GraphStack;
}
