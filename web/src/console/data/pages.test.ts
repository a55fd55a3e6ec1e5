/** How a list that is read page by page stays up to date. */

import { expect, test } from "vitest";
import { type Part, lookThrough, renewed } from "./pages.ts";

test.each([
  ["all fit", { rows: ["a", "b"], next: null }, ["a", "b", "c"], ["a", "b"]],
  ["those beyond stay", { rows: ["a", "b"], next: "b" }, ["a", "b", "c", "d"], ["a", "b", "c", "d"]],
  ["one that has come to the front is listed once", { rows: ["d", "a"], next: "a" }, ["a", "b", "c", "d"], ["d", "a", "c"]],
  ["nothing was shown", { rows: ["a"], next: "a" }, [], ["a"]],
] as const)("%s", (_, part, shown, all) => {
  expect(renewed(part, shown, (row) => row)).toEqual(all);
});

test.each([
  ["a page with rows is the page", ["", "a b"], 1, "a b"],
  ["pages without rows are passed over", ["", "", "", "c"], 3, "c"],
  ["not for ever", Array.from({ length: 99 }, () => ""), 20, ""],
  ["nor behind the end", ["", ""], 1, ""],
] as const)("%s", async (_, pages, asks, found) => {
  let asked = 0;
  const read = async (after: string | null): Promise<Part<string>> => {
    asked += 1;
    const at = Number(after ?? 0) + 1;
    const rows = (pages[at] ?? "").split(" ").filter((row) => row !== "");
    return { rows, next: at + 1 < pages.length ? String(at) : null };
  };
  const part = await lookThrough(read)(null, 9);
  expect([part.rows.join(" "), asked]).toEqual([found, asks]);
});
