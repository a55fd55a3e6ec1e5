/** The time that is left of a run, of jobs and of how many are done in a second. */

import { expect, test } from "vitest";
import { timeLeft } from "./left.ts";

test.each([
  [{ total: 100, done: 40, failed: 10 }, 5, 10_000],
  [{ total: 100, done: 100, failed: 0 }, 5, 0],
  [{ total: 100, done: 90, failed: 20 }, 5, 0],
  [{ total: 100, done: 40, failed: 0 }, 0, "unknown"],
  [{ total: 100, done: 40, failed: 0 }, -1, "unknown"],
  [{ total: 100, done: 0, failed: 0 }, undefined, "unknown"],
] as const)("%j at %s a second", (progress, perSecond, left) => {
  expect(timeLeft({ queued: 0, running: 0, ...progress }, perSecond)).toBe(left);
});
