/** What the overview says needs somebody. */

import { expect, test } from "vitest";
import type { QueueView, RunSummary, StoppedCodeView, WaitingClassView } from "../../../api/types.gen.ts";
import { needs } from "./attention.ts";

const NOW = 1_800_000_000_000;
const EMPTY: QueueView = { ready: 0, leased: 0, delayed: 0, held: 0, pausedSince: null };
const NOBODY = { workers: 0, slots: 0, busy: 0, mflops: 0 };
const SOMEBODY = { workers: 1, slots: 1, busy: 0, mflops: 0 };

function run(id: string, state: RunSummary["state"], rest: Partial<RunSummary> = {}): RunSummary {
  return { id, name: id, state, paused: false, finishedAt: null, ...rest } as RunSummary;
}

function waits(capabilities: string[], workers: number): WaitingClassView {
  return { needs: { capabilities, memoryMb: 0 }, leftOut: [], jobs: 2, oldestAt: null, workers, idle: 0, why: [] } as WaitingClassView;
}

const STOPPED = { example: "job_1" } as StoppedCodeView;

test.each([
  ["nothing is known yet", { queue: undefined, fleet: undefined, runs: [] }, []],
  ["a disk that is nearly full", { queue: EMPTY, fleet: NOBODY, diskLeft: 5e8, runs: [] }, ["disk"]],
  ["an empty queue and nobody", { queue: EMPTY, fleet: NOBODY, runs: [] }, []],
  ["jobs wait for nobody", { queue: { ...EMPTY, ready: 2 }, fleet: NOBODY, runs: [] }, ["nobody"]],
  ["jobs wait for somebody", { queue: { ...EMPTY, ready: 2 }, fleet: SOMEBODY, runs: [] }, []],
  [
    "jobs wait for what nobody has",
    { queue: { ...EMPTY, ready: 3 }, fleet: SOMEBODY, classes: [waits(["webcl"], 0), waits(["javascript"], 1)], runs: [] },
    ["unmet webcl"],
  ],
  ["nobody is connected at all", { queue: { ...EMPTY, ready: 3 }, fleet: NOBODY, classes: [waits(["webcl"], 0)], runs: [] }, ["nobody"]],
  ["they waited when it was asked", { queue: EMPTY, fleet: SOMEBODY, classes: [waits(["webcl"], 0)], runs: [] }, []],
  [
    "a pause and a stopped code",
    { queue: { ...EMPTY, pausedSince: 1, stopped: [STOPPED] }, fleet: SOMEBODY, trouble: "no disk", runs: [] },
    ["trouble", "paused", "stopped"],
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

test("each sentence says whom the server is asked about", () => {
  const queue = { ...EMPTY, ready: 1, pausedSince: 1, stopped: Array.from({ length: 9 }, () => STOPPED) };
  const runs = [run("lost", "FAILED", { finishedAt: NOW }), run("held", "STARTED", { paused: true })];
  expect(needs({ queue, fleet: NOBODY, trouble: "no disk", runs }, NOW).map(({ id, why }) => [id, why])).toEqual([
    ["trouble", { kind: "queue" }],
    ["paused", { kind: "queue" }],
    ["stopped", { kind: "jobs", ids: Array<string>(5).fill("job_1") }],
    ["nobody", { kind: "queue" }],
    ["lost", { kind: "run", id: "lost" }],
    ["held", { kind: "run", id: "held" }],
  ]);
});
