/** What pages say of doubted values. */

import { expect, test } from "vitest";
import { listedDoubts, runDoubts } from "./doubts.ts";

test.each([
  [0, ""],
  [1, "1 value of this run is doubted: the device on whose word alone it was believed was found wrong after the end."],
  [1234, "1,234 values of this run are doubted: the device on whose word alone they were believed was found wrong after the end."],
])("%i doubted jobs", (jobs, words) => {
  expect(runDoubts(jobs).startsWith(words)).toBe(true);
  expect(runDoubts(jobs).includes("--reuse=always")).toBe(jobs > 0);
});

test("a list says how many", () => {
  expect([0, 1, 2].map(listedDoubts)).toEqual(["", "; 1 value doubted", "; 2 values doubted"]);
});
