/** Where code has failed. */

import { expect, test } from "vitest";
import { aroundLine, failingLine } from "./failing.ts";

test.each([
  ["V8", "Add.js", ["Error: boom\n    at inner (Add.js:7:9)\n    at weevil_main (Add.js:2:3)"], 7],
  ["SpiderMonkey", "Add.js", ["inner@Add.js:7:9\nweevil_main@Add.js:2:3\n"], 7],
  ["the newest that tells", "Add.js", ["at Add.js:1:1", "at Add.js:3:1", null, ""], 3],
  ["another file", "Add.js", ["at f (MyAdd.js:7:9)"], undefined],
  ["a name is no pattern", "a.js", ["at f (abjs:7:9)"], undefined],
  ["a file in a folder", "src/a+b.js", ["at f (src/a+b.js:12:1)"], 12],
  ["no stack", "Add.js", [null], undefined],
  ["no attempt", "Add.js", [], undefined],
  ["no name", "", ["at :7:9"], undefined],
  ["line 0", "Add.js", ["at Add.js:0:1"], undefined],
])("%s: the line of a stack", (_, source, stacks, line) => {
  expect(
    failingLine(
      source,
      stacks.map((stack) => ({ stack })),
    ),
  ).toBe(line);
});

test.each([
  ["a\nb\nc", 1, ["", "a", "\nb\nc"]],
  ["a\nb\nc", 2, ["a\n", "b", "\nc"]],
  ["a\nb\nc", 3, ["a\nb\n", "c", ""]],
  ["a\n", 2, ["a\n", "", ""]],
  ["a", 2, undefined],
  ["", 1, ["", "", ""]],
])("%j is cut around line %i", (text, line, parts) => {
  expect(aroundLine(text, line)).toEqual(parts);
});
