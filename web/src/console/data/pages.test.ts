/** How a list that is read page by page stays up to date. */

import { expect, test } from "vitest";
import { renewed } from "./pages.ts";

test.each([
  ["all fit", { rows: ["a", "b"], next: null }, ["a", "b", "c"], ["a", "b"]],
  ["those beyond stay", { rows: ["a", "b"], next: "b" }, ["a", "b", "c", "d"], ["a", "b", "c", "d"]],
  ["one that has come to the front is listed once", { rows: ["d", "a"], next: "a" }, ["a", "b", "c", "d"], ["d", "a", "c"]],
  ["nothing was shown", { rows: ["a"], next: "a" }, [], ["a"]],
] as const)("%s", (_, part, shown, all) => {
  expect(renewed(part, shown, (row) => row)).toEqual(all);
});
