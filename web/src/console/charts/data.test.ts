/** Columns of samples as lines, words and rows. */

import { expect, test } from "vitest";
import { type ChartData, headline, isEmpty, roundTop, summaryOf, tableRows, withGaps } from "./data.ts";

function data(at: readonly number[], ...values: (number | null)[][]): ChartData {
  return { at, values, from: 0, to: 100 };
}

test.each<readonly [string, ChartData, ChartData]>([
  ["nothing", data([], []), data([], [])],
  ["no hole", data([0, 10, 34], [1, 2, 3]), data([0, 10, 34], [1, 2, 3])],
  [
    "a hole in each line",
    data([0, 10, 40, 50], [1, 2, 3, 4], [5, 6, 7, 8]),
    data([0, 10, 25, 40, 50], [1, 2, null, 3, 4], [5, 6, null, 7, 8]),
  ],
  ["two holes", data([0, 100, 200], [1, 2, 3]), data([0, 50, 100, 150, 200], [1, null, 2, null, 3])],
])("gaps: %s", (_, given, expected) => {
  expect(withGaps(given, 10)).toEqual(expected);
});

test.each<readonly [readonly (number | null)[], ReturnType<typeof summaryOf>]>([
  [[], undefined],
  [[null, null], undefined],
  [[0], { last: 0, least: 0, most: 0 }],
  [[null, 3, -1, 7, 2, null], { last: 2, least: -1, most: 7 }],
])("what is said of %j", (values, summary) => {
  expect(summaryOf(values)).toEqual(summary);
});

test.each<readonly [readonly (number | null)[], number | null, number | null]>([
  [[], null, null],
  [[null], null, null],
  [[4, null, 6, 2, null], 2, 4],
])("what stands for %j, while it goes on and afterwards", (values, now, afterwards) => {
  expect([headline(values), headline(values, true)]).toEqual([now, afterwards]);
});

test("nothing is known only where no line has a number", () => {
  expect([data([], []), data([1], [null], [null]), data([1], [null], [0])].map(isEmpty)).toEqual([true, true, false]);
});

test("a table has few rows, the newest first, and leaves nothing out", () => {
  const at = Array.from({ length: 600 }, (_, index) => index);
  const rows = tableRows(data(at, [...at]), 24);
  expect(rows.length).toBe(24);
  expect(rows[0]).toEqual({ from: 575, to: 599, means: [587] });
  expect(rows.at(-1)).toEqual({ from: 0, to: 24, means: [12] });
  for (const [one, next] of rows.slice(1).map((row, index) => [rows[index], row] as const)) expect(one?.from).toBe(next.to + 1);
});

test("a row of which nothing is known is left out, and a mean is that of what is known", () => {
  const rows = tableRows(data([1, 2, 3, 4, 5], [null, null, 4, null, 6], [null, null, null, 1, 1]), 3);
  expect(rows).toEqual([
    { from: 4, to: 5, means: [6, 1] },
    { from: 2, to: 3, means: [4, null] },
  ]);
});

test.each([
  [0, 1],
  [Number.NaN, 1],
  [0.03, 0.05],
  [1, 1],
  [1.01, 2],
  [21, 25],
  [933, 1000],
  [1001, 2000],
])("an axis up to %d ends at %d", (most, top) => {
  expect(roundTop(most)).toBeCloseTo(top, 12);
});
