/** One job and its attempts, asked again and again while somebody can see it, until it has ended. */

import { signal } from "@preact/signals";
import { getJob } from "../../api/client.ts";
import type { JobHistory, NodeState } from "../../api/types.gen.ts";
import { whileVisible } from "../live/visible.ts";

const EVERY_MS = 2000;

export function watchJob(id: string) {
  const known = signal<JobHistory | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  let closed = false;

  async function look(): Promise<void> {
    try {
      const history = await getJob(id);
      if (closed) return;
      [known.value, problem.value] = [history, undefined];
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
