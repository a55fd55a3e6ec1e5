/** The share of computing time, on a clock of the test's own: for each duty and each length of jobs. */

import { expect, test } from "vitest";
import { Pacer } from "./pacer.ts";

/** Computes jobs for a minute; every rest rings `late` milliseconds late. Answers the share in percent and the rests. */
function minute(duty: number, jobMs: number, late: number): { share: number; rests: number } {
  const pacer = new Pacer();
  pacer.setDuty(duty);
  let [now, worked, rests] = [0, 0, 0];
  while (now < 60_000) {
    const rest = pacer.due();
    if (rest > 0) {
      pacer.rested(rest + late);
      now += rest + late;
      rests++;
    }
    now += jobMs;
    worked += jobMs;
    pacer.worked(jobMs);
  }
  return { share: (100 * worked) / (now + pacer.due()), rests };
}

test.each([10, 25, 50, 75])("%i %%: jobs of any length, timers that ring late", (duty) => {
  for (const [jobMs, late] of [
    [0.05, 0],
    [1, 3],
    [20, 0],
    [20, 5],
    [300, 0],
    [300, 15],
  ] as const) {
    const { share } = minute(duty, jobMs, late);
    expect(Math.abs(share / duty - 1), `${jobMs} ms jobs, ${late} ms late: ${share} %`).toBeLessThan(0.05);
  }
});

test("tiny jobs do not sleep each", () => {
  expect(minute(50, 0.05, 0).rests).toBeLessThan(60_000 / 20);
});

test("all of the time is without any rest", () => {
  expect(minute(100, 20, 0)).toEqual({ share: 100, rests: 0 });
});

test("a higher duty shortens the rest that is owed, a lower one leaves it", () => {
  const pacer = new Pacer();
  pacer.setDuty(50);
  pacer.worked(300);
  pacer.setDuty(10);
  expect(pacer.due()).toBe(300);
  pacer.setDuty(50);
  expect(pacer.due()).toBeCloseTo(300 / 9);
  pacer.setDuty(100);
  expect(pacer.due()).toBe(0);
});

test("time without work pays the debt, and a little ahead", () => {
  const pacer = new Pacer();
  pacer.setDuty(50);
  pacer.worked(100);
  pacer.rested(60);
  expect(pacer.due()).toBe(40);
  pacer.rested(1000);
  pacer.worked(90);
  expect(pacer.due()).toBe(40);
});
