/**
 * Why jobs, nodes, runs and workers stand as they do, and what waits in the queue, as functions.
 *
 * Never touches the DOM, and concludes nothing: sentences are the server's.
 */

import { ask } from "./ask.ts";
import * as routes from "./routes.gen.ts";
import type { Explanation, ReasonView, WaitingClasses, WaitingQueues } from "./types.gen.ts";

/** @throws Refusal */
export function explainJob(job: string): Promise<Explanation> {
  return ask(routes.explainJob(job));
}

/** @throws Refusal */
export function explainRun(run: string): Promise<Explanation> {
  return ask(routes.explainRun(run));
}

/** `node`: its id. @throws Refusal */
export function explainNode(run: string, node: string): Promise<Explanation> {
  return ask(routes.explainNode(run, node));
}

/** @throws Refusal */
export function explainWorker(worker: string): Promise<Explanation> {
  return ask(routes.explainWorker(worker));
}

/** Why nothing is handed out, and why the ready jobs of each class wait; what several of them say once. @throws Refusal */
export async function explainQueue(): Promise<Explanation> {
  const { classes, why: ofAll } = await waitingClasses();
  return together([ofAll, ...classes.map(({ why }) => why)]);
}

/** The same of several jobs. @throws Refusal */
export async function explainJobs(jobs: readonly string[]): Promise<Explanation> {
  const all = await Promise.all(jobs.map(explainJob));
  return together(all.map(({ reasons }) => reasons));
}

/** In the order in which they were told; the same sentence once. */
export function together(told: readonly (readonly ReasonView[])[]): Explanation {
  const reasons = new Map<string, ReasonView>();
  for (const reason of told.flat()) if (!reasons.has(reason.text)) reasons.set(reason.text, reason);
  return { reasons: [...reasons.values()] };
}

/** What is ready, by what it needs. @throws Refusal */
export function waitingClasses(): Promise<WaitingClasses> {
  return ask(routes.queueClasses());
}

/** What waits in named queues. @throws Refusal */
export function waitingQueues(): Promise<WaitingQueues> {
  return ask(routes.queueNames());
}
