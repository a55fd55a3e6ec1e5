/** Days are dates: whatever zone the clock is in, and however it is set. */

import { afterEach, expect, test } from "vitest";
import { dayOf, utcOf, weekdayOf } from "./days.ts";

const ZONE = process.env["TZ"];

afterEach(() => {
  if (ZONE === undefined) delete process.env["TZ"];
  else process.env["TZ"] = ZONE;
});

test.each([
  ["2026-11-27T23:59:59Z", "UTC", "2026-11-27"],
  ["2026-11-28T00:00:00Z", "UTC", "2026-11-28"],
  ["2026-11-27T23:59:59Z", "Asia/Shanghai", "2026-11-28"],
  ["2026-11-28T04:59:59Z", "America/New_York", "2026-11-27"],
  // The night in which the clocks go forward, and the one in which they go back.
  ["2026-03-28T23:30:00Z", "Europe/Berlin", "2026-03-29"],
  ["2026-10-25T22:59:59Z", "Europe/Berlin", "2026-10-25"],
  ["1970-01-01T00:00:00Z", "America/New_York", "1969-12-31"],
])("%s in %s is %s", (moment, zone, date) => {
  process.env["TZ"] = zone;
  expect(new Date(utcOf(dayOf(Date.parse(moment)))).toISOString().slice(0, 10)).toBe(date);
});

test.each([
  ["2026-11-23", 0],
  ["2026-11-27", 4],
  ["2026-11-29", 6],
])("%s is day %d of its week", (date, weekday) => {
  expect(weekdayOf(Date.parse(date) / utcOf(1))).toBe(weekday);
});
