/** What the overview says needs somebody. */

import { expect, test } from "vitest";
import type { QueueView, RunSummary, StoppedCodeView, WorkerView } from "../../../api/types.gen.ts";
import { needs } from "./attention.ts";

const NOW = 1_800_000_000_000;
const EMPTY: QueueView = { ready: 0, leased: 0, delayed: 0, held: 0, pausedSince: null };
const NOBODY = { workers: [], slots: 0 };
const SOMEBODY = { workers: [{} as WorkerView], slots: 1 };

function run(id: string, state: RunSummary["state"], rest: Partial<RunSummary> = {}): RunSummary {
  return { id, name: id, state, paused: false, finishedAt: null, ...rest } as RunSummary;
}

test.each([
  ["nothing is known yet", { queue: undefined, fleet: undefined, runs: [] }, []],
  ["an empty queue and nobody", { queue: EMPTY, fleet: NOBODY, runs: [] }, []],
  ["jobs wait for nobody", { queue: { ...EMPTY, ready: 2 }, fleet: NOBODY, runs: [] }, ["nobody"]],
  ["jobs wait for somebody", { queue: { ...EMPTY, ready: 2 }, fleet: SOMEBODY, runs: [] }, []],
  [
    "a pause and a stopped code",
    { queue: { ...EMPTY, pausedSince: 1, stopped: [{} as StoppedCodeView] }, fleet: SOMEBODY, runs: [] },
    ["paused", "stopped"],
  ],
  [
    "runs",
    {
      queue: EMPTY,
      fleet: SOMEBODY,
      runs: [
        run("now", "FAILED", { finishedAt: NOW - 1000 }),
        run("long ago", "FAILED", { finishedAt: NOW - 2 * 86_400_000 }),
        run("held", "STARTED", { paused: true }),
        run("over", "CANCELLED", { paused: true }),
        run("going", "STARTED"),
      ],
    },
    ["now", "held"],
  ],
])("%s", (_, known, ids) => {
  expect(needs(known, NOW).map(({ id }) => id)).toEqual(ids);
});
