/** What leaves a slot of what a job tells: numbers between 0 and 1, and not too many of them. */

import { expect, test } from "vitest";
import { ProgressMeter } from "./progress.ts";

function bench(): { meter: ProgressMeter; told: [number, number][]; clock: { ms: number } } {
  const told: [number, number][] = [];
  const clock = { ms: 0 };
  const meter = new ProgressMeter(
    () => clock.ms,
    (seq, done) => told.push([seq, done]),
  );
  meter.begin(7);
  return { meter, told, clock };
}

test("numbers are put between 0 and 1, and nothing else is told", () => {
  const rows: [unknown, number[]][] = [
    [0.5, [0.5]],
    [0, [0]],
    [-3, [0]],
    [42, [1]],
    [Infinity, [1]],
    [-Infinity, [0]],
    [NaN, []],
    ["0.5", []],
    [undefined, []],
    [{ valueOf: () => 0.5 }, []],
    [10n, []],
  ];
  for (const [given, expected] of rows) {
    const { meter, told } = bench();
    meter.tell(given);
    expect(told, String(given)).toEqual(expected.map((done) => [7, done]));
  }
});

test("what has hardly changed is not told, and a new job begins anew", () => {
  const { meter, told } = bench();
  for (const done of [0.5, 0.5, 0.5004, 0.4996, 0.502]) meter.tell(done);
  meter.begin(8);
  meter.tell(0.502);
  expect(told).toEqual([
    [7, 0.5],
    [7, 0.502],
    [8, 0.502],
  ]);
});

test("a loop tells some times a second, however often it calls", () => {
  const { meter, told, clock } = bench();
  for (let turn = 0; turn < 10_000; turn++) {
    clock.ms = turn;
    meter.tell(turn % 2);
  }
  expect(told.length).toBeGreaterThan(50);
  expect(told.length).toBeLessThan(65);
});
