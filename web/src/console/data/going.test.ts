/** Which runs go on, and which of all runs stand in front. */

import { expect, test } from "vitest";
import type { RunState, RunSummary } from "../../api/types.gen.ts";
import { foremost, goingOn } from "./going.ts";

const run = (id: string, state: RunState): RunSummary => ({ id, state }) as RunSummary;
const idsOf = (runs: readonly RunSummary[]): string => runs.map(({ id }) => id).join(" ");

const NEWEST = [run("run_9", "STARTED"), run("run_8", "FINISHED"), run("run_7", "FAILED"), run("run_6", "STARTED")];

test("runs that go on beyond the newest are listed behind them, each once, and never against what the stream says", () => {
  const [old, older] = [run("run_3", "STARTED"), run("run_1", "STARTED")];
  const rows = [
    [[], "run_9 run_6"],
    [[old, older], "run_9 run_6 run_3 run_1"],
    [[run("run_6", "STARTED"), old], "run_9 run_6 run_3"],
    [[run("run_7", "STARTED"), old], "run_9 run_6 run_3"],
    [[run("run_5", "CANCELLED"), old], "run_9 run_6 run_3"],
  ] as const;
  for (const [asked, ids] of rows) expect(idsOf(goingOn(NEWEST, asked)), idsOf(asked)).toBe(ids);
  expect(goingOn([], [old])).toEqual([]);
});

test("those that go on stand in front of the newest others, as many as there is room for", () => {
  const going = goingOn(NEWEST, [run("run_3", "STARTED")]);
  expect(idsOf(foremost(going, NEWEST, 8))).toBe("run_9 run_6 run_3 run_8 run_7");
  expect(idsOf(foremost(going, NEWEST, 4))).toBe("run_9 run_6 run_3 run_8");
  expect(idsOf(foremost(going, NEWEST, 2))).toBe("run_9 run_6");
});
