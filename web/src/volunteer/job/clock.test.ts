/** The clock of deterministic jobs stands still, and goes on after them. */

import { expect, test } from "vitest";
import { JobClock, STEP_MS } from "./clock.ts";

const MOMENT = 1356998400000;

test("a frozen clock tells one moment in every way, and a thawed one tells the time", () => {
  const clock = new JobClock(globalThis);
  const real = Date;
  clock.freeze(true);
  const seen = [
    Date.now(),
    new Date().getTime(),
    Date.parse(Date()),
    real.now(),
    new (new Date(5).constructor as DateConstructor)().getTime(),
    new (class extends Date {})().getTime(),
  ];
  const others = [new Date(5).getTime(), Date.UTC(2013, 0), new Date("2013-01-01T00:00:00Z").getTime()];
  const kind = [new Date() instanceof Date, new Date() instanceof real, Date.name, Date.length];
  const counter = performance.now();
  clock.freeze(false);
  expect(seen).toEqual(seen.map(() => MOMENT));
  expect(others).toEqual([5, MOMENT, MOMENT]);
  expect(kind).toEqual([true, true, "Date", 7]);
  expect(counter).toBe(0);
  expect(Date).toBe(real);
  expect(Date.now()).toBeGreaterThan(MOMENT);
  expect(performance.now()).toBeGreaterThan(0);
});

test("a job's clocks go in whole milliseconds, also through the prototypes", () => {
  new JobClock(globalThis);
  const clocks = [
    () => performance.now(),
    () => Performance.prototype.now.call(performance),
    () => new Event("x").timeStamp,
  ];
  for (const clock of clocks) {
    const seen = new Set<number>();
    for (const end = Date.now() + 5; Date.now() < end; ) seen.add(clock());
    expect([...seen].filter((ms) => ms % STEP_MS !== 0)).toEqual([]);
    expect(seen.size).toBeLessThan(10);
  }
});
