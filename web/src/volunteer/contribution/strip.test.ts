/** The heat strip: which days it shows, where, and how dark. */

import { expect, test } from "vitest";
import { utcOf, weekdayOf } from "./days.ts";
import { EMPTY, NOTHING } from "./ledger.ts";
import { LEVELS, WEEKS, months, strip } from "./strip.ts";

const DAY = utcOf(1);
const on = (date: string): number => Date.parse(date) / DAY;

test.each(["2026-11-23", "2026-11-27", "2026-11-29", "2024-02-29", "2027-01-01"])("26 weeks up to %s", (date) => {
  const today = on(date);
  const cells = strip(EMPTY, today);
  expect(cells.at(-1)).toMatchObject({ day: today, column: WEEKS - 1, row: weekdayOf(today), level: 0 });
  expect(cells[0]).toMatchObject({ column: 0, row: 0 });
  expect(cells.map(({ day }) => day)).toEqual(Array.from(cells, (_, at) => today - cells.length + 1 + at));
});

test("shades are shares of the longest day; a day with any work is never blank", () => {
  const today = on("2026-11-27");
  const ms = [0, 1, 25, 26, 50, 51, 100];
  const days = ms.map((time, at) => ({ day: today - ms.length + 1 + at, ...NOTHING, jobs: time === 0 ? 0 : 1, ms: time, aims: [] }));
  const levels = strip({ days, before: NOTHING }, today).map(({ level }) => level);
  expect(levels.slice(-ms.length)).toEqual([0, 1, 1, 2, 2, 3, LEVELS]);
  expect(levels.slice(0, -ms.length).every((level) => level === 0)).toBe(true);
});

test("a job that took no time is a day's work too", () => {
  const today = on("2026-11-27");
  const days = [{ day: today, ...NOTHING, jobs: 1, aims: [] }];
  expect(strip({ days, before: NOTHING }, today).at(-1)?.level).toBe(1);
});

test("what lies before the strip or after today is not in it", () => {
  const today = on("2026-11-27");
  const days = [today - 400, today + 1].map((day) => ({ day, ...NOTHING, jobs: 1, ms: 1, aims: [] }));
  expect(strip({ days, before: NOTHING }, today).every(({ level }) => level === 0)).toBe(true);
});

test("months stand at their first Monday, with room for their names", () => {
  const found = months(on("2026-11-27"));
  const dates = found.map(({ day }) => new Date(utcOf(day)).toISOString().slice(0, 10));
  expect(dates).toEqual(["2026-06-01", "2026-07-06", "2026-08-03", "2026-09-07", "2026-10-05", "2026-11-02"]);
  expect(found.every(({ column }, at) => at === 0 || column - (found[at - 1]?.column ?? 0) >= 2)).toBe(true);
});
