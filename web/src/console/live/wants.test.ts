/** What tabs want together, and how long a stream rests. */

import { expect, test } from "vitest";
import { pauseAfter } from "./pauses.ts";
import { MOST_TOPICS, SILENT_MS, Wants } from "./wants.ts";

test("the union follows what each tab wants last", () => {
  const wants = new Wants<string>();
  const rows: readonly [tab: string, topics: readonly string[], union: readonly string[]][] = [
    ["a", ["overview"], ["overview"]],
    ["b", ["overview", "run:2"], ["overview", "run:2"]],
    ["a", ["overview", "queue"], ["overview", "queue", "run:2"]],
    ["b", [], ["overview", "queue"]],
    ["a", [], []],
  ];
  for (const [tab, topics, union] of rows) {
    wants.want(tab, topics, 0);
    expect(wants.union(), `${tab} wants ${topics.join()}`).toEqual(union);
  }
});

test("there is room for what was wanted last", () => {
  const wants = new Wants<number>();
  for (let tab = 0; tab < 2 * MOST_TOPICS; tab += 1) wants.want(tab, ["overview", `run:${tab + 100}`], 0);
  wants.want(3, ["overview", "run:103"], 0);
  expect(wants.union()).toHaveLength(MOST_TOPICS);
  expect(wants.union()).toContain("overview");
  expect(wants.union()).toContain("run:103");
  expect(wants.union()).not.toContain("run:104");
});

test("a tab that is not heard of any more wants nothing", () => {
  const wants = new Wants<string>();
  wants.want("a", ["queue"], 0);
  wants.want("b", ["overview", "queue"], 0);
  wants.heard("a", SILENT_MS);
  wants.heard("c", SILENT_MS);
  wants.sweep(SILENT_MS + 1);
  expect([wants.tabs(), wants.of("queue"), wants.of("overview"), wants.union()]).toEqual([["a"], ["a"], [], ["queue"]]);
  wants.forget("a");
  expect(wants.union()).toEqual([]);
});

test.each([
  [0, 1000],
  [1, 1000],
  [2, 2000],
  [3, 4000],
  [5, 16_000],
  [6, 30_000],
  [5000, 30_000],
])("after %i tries it rests %i ms", (tries, pause) => {
  expect(pauseAfter(tries)).toBe(pause);
});
