/**
 * What the console asks of the server about workers, and what people in charge have done to one.
 *
 * Never touches the DOM.
 */

import { ask, tell } from "./ask.ts";
import * as routes from "./routes.gen.ts";
import type { WorkerAttemptPage, WorkerPage, WorkerState, WorkerView } from "./types.gen.ts";

export interface WorkerQuery {
  /** Empty: all. */
  readonly q: string;
  readonly state: WorkerState;
  /** Empty: the usual order, and for those that have left the only one. */
  readonly sort: string;
}

/** Workers behind those of the page before. @throws Refusal */
export function listWorkers({ q, state, sort }: WorkerQuery, after: string | null, limit: number): Promise<WorkerPage> {
  return ask(routes.listWorkers({ q: q || null, state, sort: sort || null, after, limit }));
}

/** @throws Refusal */
export function getWorker(worker: string): Promise<WorkerView> {
  return ask(routes.showWorker(worker));
}

/** Which attempts of a worker; those alone with a text in the path of their job or in their error, where it is not empty. */
export interface AttemptsFilter {
  readonly text: string;
  /** Those alone that count against it. */
  readonly failed: boolean;
}

/** What it was handed as far as it fits, the newest first, behind those of the page before. @throws Refusal */
export function listWorkerAttempts(
  worker: string,
  { text, failed }: AttemptsFilter,
  after: string | null,
  limit: number,
): Promise<WorkerAttemptPage> {
  return ask(routes.workerAttempts(worker, { q: text === "" ? null : text, failed: failed || null, after, limit }));
}

/** It is given nothing for so many minutes. Answers how it stands now. @throws Refusal */
export function pauseWorker(worker: string, note: string, minutes: number): Promise<WorkerView> {
  return tell(routes.pauseWorker(worker), { note, minutes });
}

/** @throws Refusal */
export function resumeWorker(worker: string): Promise<WorkerView> {
  return ask(routes.resumeWorker(worker));
}

/** It leaves, and may come again. Answers how it stood. @throws Refusal */
export function sendWorkerAway(worker: string, note: string): Promise<WorkerView> {
  return tell(routes.banWorker(worker), { note, once: true });
}

/** Its device is sent away, until somebody lets it go on. @throws Refusal */
export function banWorker(worker: string, note: string): Promise<WorkerView> {
  return tell(routes.banWorker(worker), { note });
}
