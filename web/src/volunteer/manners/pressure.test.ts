/** Pressure: what the browser says, less our own share; what a small loop's times say. */

import { expect, test } from "vitest";
import { type BrowserPressure, SpinProbe, expected, pressedBy } from "./pressure.ts";

test.each<readonly [BrowserPressure, number, boolean | undefined]>([
  ["nominal", 0, false],
  ["fair", 0.5, false],
  ["serious", 0, true],
  ["serious", 0.3, true],
  ["serious", 0.5, undefined],
  ["critical", 0, true],
  ["critical", 0.5, true],
  ["critical", 0.75, undefined],
  ["critical", 1, undefined],
])("%s with %f of our own: %o", (state, own, pressed) => {
  expect(pressedBy(state, own)).toBe(pressed);
});

test.each([
  [0, 1, 1],
  [1, 1, 2],
  [0.375, 2, 1],
  [1, 2, 1.5],
  [0.5, 8, 1],
  [1, 8, 1.125],
])("%f of our own on %i cores: %f times as long", (own, cores, times) => {
  expect(expected(own, cores)).toBe(times);
});

test.each<readonly [string, readonly number[], number, boolean]>([
  ["too few to tell", [20, 90], 1, false],
  ["always the same", [60, 20, 20, 20], 1, false],
  ["one bad moment", [20, 90, 20], 1, false],
  ["our own work beside it", [20, 29, 31, 30], 1.5, false],
  ["others need it", [20, 50, 45], 1, true],
  ["others need it, beside our own work", [20, 55, 52, 60], 1.5, true],
  ["not yet calm", [20, 50, 50, 28, 28, 28], 1, true],
  ["calm again", [20, 50, 50, 24, 24], 1, false],
])("%s", (_, times, longer, pressed) => {
  const probe = new SpinProbe();
  expect(times.map((ms) => probe.add(ms, longer)).at(-1)).toBe(pressed);
});
