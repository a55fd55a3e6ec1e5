/** What is told of a workflow's runs, whichever version they are of. */

import { expect, test } from "vitest";
import { together } from "./last.ts";

const run = (at: number) => ({ run: `run_${at}`, state: "FINISHED", createdAt: at }) as const;

test.each([
  [[], null, []],
  [[{ lastRun: null, runs: 0 }], null, [0]],
  [
    [
      { lastRun: null, runs: 0 },
      { lastRun: run(4), runs: 3 },
    ],
    4,
    [0, 3],
  ],
  [
    [
      { lastRun: run(5), runs: 1 },
      { lastRun: run(9), runs: 100 },
    ],
    9,
    [1, 100],
  ],
])("%o", (versions, at, runs) => {
  const told = together(versions);
  expect([told.lastRun?.createdAt ?? null, told.runs]).toEqual([at, runs]);
});
