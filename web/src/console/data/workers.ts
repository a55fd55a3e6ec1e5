/** Workers: their list, one of them, and what it was handed; each kept up to date while somebody can see it. */

import { signal } from "@preact/signals";
import type { WorkerView } from "../../api/types.gen.ts";
import { type AttemptsFilter, type WorkerQuery, getWorker, listWorkerAttempts, listWorkers } from "../../api/workers.ts";
import { whileVisible } from "../live/visible.ts";
import { lookThrough, makePages } from "./pages.ts";

const EVERY_MS = 2000;

export function makeWorkerList(query: WorkerQuery) {
  return makePages(
    async (after, limit) => {
      const { workers, next } = await listWorkers(query, after, limit);
      return { rows: workers, next };
    },
    ({ id }) => id,
  );
}

/** All of them where nothing is asked. */
export function makeAttemptList(worker: string, asked: AttemptsFilter = { text: "", failed: false }) {
  return makePages(
    lookThrough(async (after, limit) => {
      const { attempts, next } = await listWorkerAttempts(worker, asked, after, limit);
      return { rows: attempts, next };
    }),
    ({ startedAt, job }) => `${startedAt} ${job?.id ?? ""} ${job?.attempt ?? ""}`,
  );
}

/** One worker; what somebody has done to it is shown at once. */
export function watchWorker(id: string) {
  const view = signal<WorkerView | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  /** When it was asked, in milliseconds since 1970. */
  const since = signal(0);
  let closed = false;
  let told = 0;

  /** An answer to something that was done. */
  function show(now: WorkerView): void {
    told += 1;
    if (!closed) [view.value, problem.value, since.value] = [now, undefined, Date.now()];
  }
  /** An answer that was on its way while something was done says how it was before. */
  async function look(): Promise<void> {
    const before = told;
    try {
      const answer = await getWorker(id);
      if (before === told) show(answer);
    } catch (refused) {
      if (!closed) problem.value = refused;
    }
  }
  const watch = whileVisible(EVERY_MS, look);
  const close = (): void => {
    closed = true;
    watch.stop();
  };
  return { view, problem, since, show, again: watch.now, close };
}

export type WatchedWorker = ReturnType<typeof watchWorker>;
