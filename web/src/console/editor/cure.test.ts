/** Places of diagnostics in a text, and what their help offers to write there. */

import { expect, test } from "vitest";
import type { DiagnosticView } from "../../api/types.gen.ts";
import { cureOf } from "./cure.ts";
import { type Lines, placeOf } from "./places.ts";

function linesOf(text: string): Lines {
  const lines = text.split("\n");
  const line = (number: number) => ({
    from: lines.slice(0, number - 1).reduce((sum, one) => sum + one.length + 1, 0),
    text: lines[number - 1] ?? "",
  });
  return { lines: lines.length, length: text.length, line };
}

test.each([
  ["ab\ncd", 2, 1, 2, 3, "cd"],
  ["é😀b\n", 1, 2, 1, 3, "😀"],
  ["\uFEFFab", 1, 1, 1, 2, "a"],
  ["ab", 1, 3, 1, 3, ""],
  ["ab", 7, 1, 8, 1, ""],
  ["ab\ncd", 1, 9, 2, 9, "\ncd"],
])("in %j the place %i:%i to %i:%i holds %j", (text, line, column, endLine, endColumn, expected) => {
  const { from, to } = placeOf(linesOf(text), { line, column, endLine, endColumn } as DiagnosticView);
  expect(text.slice(from, to)).toBe(expected);
});

/** The text with its mark `§` taken out, and its place. */
function unmark(marked: string) {
  const [before = "", inside = "", after = ""] = marked.split("§");
  return { text: before + inside + after, at: { from: before.length, to: before.length + inside.length } };
}

test.each([
  ['<§vale§ id="v"/>', "did you mean `value`?", '<value id="v"/>'],
  ["<§jb§><jb/><jb></jb>x</jb>", "did you mean `job`?", "<job><jb/><jb></jb>x</job>"],
  ["<§jb§>", "did you mean `job`?", "<job>"],
  ['<edge dest="§pp§"/>', "did you mean `p`?", '<edge dest="p"/>'],
  ["§Return§ a", "did you mean `return`?", "return a"],
  ['<edge dest="§proc§"/>', "use the pool's id, `p`", '<edge dest="p"/>'],
  ['<a paramtype="§Number§"/>', 'write `paramtype="Array"`', '<a paramtype="Array"/>'],
  ['<a src="§Number§"/>', 'write `paramtype="Array"`', undefined],
  ['<a b="§&§ c"/>', "write `&amp;` for a plain `&`", '<a b="&amp; c"/>'],
  ["a§§\nb", "insert a semicolon here", "a;\nb"],
  ["a§\u0001§b", "delete it", "ab"],
  ["<§job§ src='A'/>", 'add `id=".."`', "<job id=\"\" src='A'/>"],
  ["a§b§", "split it, or let a job make it", undefined],
  ["a§b§", null, undefined],
])("%j with the help %j becomes %j", (marked, help, expected) => {
  const { text, at } = unmark(marked);
  const cure = cureOf(text, at, { help });
  const made =
    cure &&
    [...cure.changes]
      .sort((a, b) => b.from - a.from)
      .reduce((made, { from, to, insert }) => made.slice(0, from) + insert + made.slice(to), text);
  expect(made).toBe(expected);
  if (cure?.cursor !== undefined) expect(made?.[cure.cursor]).toBe('"');
});
