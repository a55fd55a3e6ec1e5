/** Which two versions of a name are compared. */

import { expect, test } from "vitest";
import { differing } from "./differing.ts";

const NEWEST_FIRST = ["d", "c", "b", "a"];

test.each([
  ["", "d", "c", "d"],
  ["a", "d", "a", "d"],
  ["b", "c", "b", "c"],
  ["d", "b", "b", "d"],
  ["", "a", "a", "b"],
  ["b", "b", "a", "b"],
  ["gone", "c", "b", "c"],
])("%j beside %j: from %s to %s", (from, to, older, newer) => {
  expect(differing(NEWEST_FIRST, from, to)).toMatchObject({ older, newer });
});
