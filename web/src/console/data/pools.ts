/** The jobs below the pools of a run: what its news tell of the first thousand nodes, and the rest asked for beside them. */

import { type ReadonlySignal, effect, signal } from "@preact/signals";
import { listNodes } from "../../api/client.ts";
import { Refusal } from "../../api/request.ts";
import type { Progress } from "../../api/types.gen.ts";
import { newest } from "./run.ts";

/** Pools that are told of. */
const PAGE = 1000;
/** From one question for all of them to the next. */
const PAUSE_MS = 2000;

export interface Pools {
  readonly jobs: ReadonlySignal<ReadonlyMap<string, Progress>>;
  readonly close: () => void;
}

export function watchPools(run: string): Pools {
  const jobs = signal<ReadonlyMap<string, Progress>>(new Map());
  let [asked, closed] = [-Infinity, false];
  const close = effect(() => {
    const view = newest.value;
    if (view?.summary.id !== run) return;
    if (view.nodes.length === view.nodeCount) jobs.value = pools(view.nodes);
    else if (performance.now() - asked > PAUSE_MS || view.summary.finishedAt !== null) {
      asked = performance.now();
      void askAll();
    }
  });
  async function askAll(): Promise<void> {
    try {
      const page = await listNodes(run, { kind: "pool" }, null, PAGE);
      if (!closed) jobs.value = pools(page.nodes);
    } catch (refused) {
      // They stay as they were: the graph says what it knows.
      if (!(refused instanceof Refusal)) throw refused;
    }
  }
  return {
    jobs,
    close: () => {
      closed = true;
      close();
    },
  };
}

function pools(nodes: readonly { readonly id: string; readonly jobs: Progress | null }[]): ReadonlyMap<string, Progress> {
  return new Map(nodes.flatMap(({ id, jobs }) => (jobs === null ? [] : [[id, jobs] as const])));
}
