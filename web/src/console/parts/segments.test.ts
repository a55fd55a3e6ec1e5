/** How a bar of progress is cut. */

import { expect, test } from "vitest";
import { segments } from "./segments.ts";

const NOTHING = { total: 0, queued: 0, running: 0, done: 0, failed: 0 };

test.each([
  [NOTHING, []],
  [{ ...NOTHING, total: 4 }, []],
  [
    { total: 10, queued: 2, running: 1, done: 5, failed: 1, answered: 1, reused: 2 },
    ["finished 0.3", "reused 0.2", "failed 0.1", "held 0.1", "running 0.1", "queued 0.2"],
  ],
  [{ ...NOTHING, total: 2, done: 2, reused: 2 }, ["reused 1"]],
  [{ ...NOTHING, total: 1, done: 1, running: 1 }, ["finished 0.5", "running 0.5"]],
])("%o", (progress, expected) => {
  expect(segments(progress).map(({ shape, share }) => `${shape} ${share}`)).toEqual(expected);
});

test("what is queued of a paused run is held", () => {
  const progress = { total: 10, queued: 2, running: 1, done: 5, failed: 0, answered: 1 };
  const told = segments(progress, true).map(({ shape, share }) => `${shape} ${share}`);
  expect(told).toEqual(["finished 0.5", "held 0.3", "running 0.1"]);
});
