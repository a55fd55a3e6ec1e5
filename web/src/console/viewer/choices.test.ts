/** What can be chosen of the look of a value, in words and back. */

import { describe, expect, test } from "vitest";
import { axesIn, axesWords, binsIn, binsWords, faceIn, faceWords, orderIn, orderWords, scaleIn, scaleWords } from "./choices.ts";
import type { Face } from "./shape.ts";

const FACES = ["line", "histogram", "table"] as const satisfies readonly [Face, ...Face[]];

test.each<readonly [readonly string[], Face]>([
  [[], "line"],
  [["histogram"], "histogram"],
  [["table", "-2"], "table"],
  [["tree"], "line"],
  [["-2", "table"], "line"],
])("%o is the face %j", (words, face) => expect(faceIn(words, FACES)).toBe(face));

test.each<readonly [Face, readonly string[], readonly string[]]>([
  ["line", [], []],
  ["histogram", [], ["histogram"]],
  ["line", ["x"], ["line", "x"]],
])("the face %j with %o is said as %o", (face, own, words) => expect(faceWords(face, own, FACES)).toEqual(words));

describe("scale and bins", () => {
  test.each([[], ["log"]])("%j is written as it is read", (...words) => {
    expect(scaleWords(scaleIn(words))).toEqual(words);
  });
  test.each([[], ["bins"]])("%j is written as it is read", (...words) => {
    expect(binsWords(binsIn(words))).toEqual(words);
  });
  test("a scale that is none of them is the usual one", () => expect(scaleIn(["cubic"])).toBe("linear"));
});

test.each<readonly [readonly string[], ReturnType<typeof orderIn>]>([
  [[], undefined],
  [["0"], { column: 0, direction: "ascending" }],
  [["-0"], { column: 0, direction: "descending" }],
  [["-2"], { column: 2, direction: "descending" }],
])("%o is the order %o", (words, order) => {
  expect(orderIn(words, 3)).toEqual(order);
  expect(orderWords(order)).toEqual(words);
});

test.each(["3", "-3", "--1", "1.5", "name", ""])("%j orders by no column of three", (word) => {
  expect(orderIn([word], 3)).toBeUndefined();
});

test.each<readonly [readonly string[], readonly [number, number]]>([
  [[], [1, 3]],
  [
    ["3", "4"],
    [3, 4],
  ],
  [
    ["4", "4"],
    [4, 4],
  ],
])("%o are the axes %o", (words, axes) => {
  expect(axesIn(words, [1, 3, 4])).toEqual(axes);
  expect(axesWords(axes, [1, 3, 4])).toEqual(words);
});

test("an axis of no such column is the usual one", () => expect(axesIn(["0", "4"], [1, 3, 4])).toEqual([1, 4]));
