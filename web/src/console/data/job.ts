/** One job and its attempts, asked again and again while somebody can see it, until it has ended; then its result. */

import { signal } from "@preact/signals";
import { getJob, getJobResult } from "../../api/client.ts";
import type { JobHistory, NodeState } from "../../api/types.gen.ts";
import { whileVisible } from "../live/visible.ts";

const EVERY_MS = 2000;

export interface KnownJob {
  readonly history: JobHistory;
  /** In the JSON view of values; `undefined` until it is finished. */
  readonly result: { readonly value: unknown } | undefined;
}

export function watchJob(id: string) {
  const known = signal<KnownJob | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  let closed = false;

  async function look(): Promise<void> {
    try {
      const history = await getJob(id);
      const result = history.job.state === "FINISHED" ? { value: (await getJobResult(id)).result } : undefined;
      if (closed) return;
      [known.value, problem.value] = [{ history, result }, undefined];
      if (hasEnded(history.job.state)) watch.stop();
    } catch (refused) {
      if (!closed) problem.value = refused;
    }
  }
  const watch = whileVisible(EVERY_MS, look);
  const close = (): void => {
    closed = true;
    watch.stop();
  };
  return { known, problem, again: watch.now, close };
}

export function hasEnded(state: NodeState): boolean {
  return state === "FINISHED" || state === "FAILED" || state === "CANCELLED";
}
