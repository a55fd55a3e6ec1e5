/** What people with different browsers read: the same English words around their own numbers and dates. */

import { afterEach, expect, test } from "vitest";
import { clock, counted, duration, figure, percent, size } from "./format.ts";
import { decimal, tellIn, tellTimesIn } from "./locale.ts";

const MOMENT = Date.UTC(2026, 0, 5, 19, 40, 9);
const NEXT_DAY = MOMENT + 86_400_000;

afterEach(() => {
  tellIn("en");
  tellTimesIn("local");
});

test.each([
  ["en-US", "1,234 jobs", "1,234.5", "12.3 s", "95.2 %", "1.7 kB", "19:40", "Jan 5, 19:40"],
  ["en-GB", "1,234 jobs", "1,234.5", "12.3 s", "95.2 %", "1.7 kB", "19:40", "5 Jan, 19:40"],
  ["de-DE", "1.234 jobs", "1.234,5", "12,3 s", "95,2 %", "1,7 kB", "19:40", "05.01., 19:40"],
  ["fr-FR", "1 234 jobs", "1 234,5", "12,3 s", "95,2 %", "1,7 kB", "19:40", "05/01 19:40"],
  ["sv-SE", "1 234 jobs", "1 234,5", "12,3 s", "95,2 %", "1,7 kB", "19:40", "05/01 19:40"],
  ["ja-JP", "1,234 jobs", "1,234.5", "12.3 s", "95.2 %", "1.7 kB", "19:40", "01/05 19:40"],
  ["hi-IN-u-nu-deva", "1,234 jobs", "1,234.5", "12.3 s", "95.2 %", "1.7 kB", "19:40", "05/01, 19:40"],
] as const)("%s", (tag, ...told) => {
  tellIn(tag);
  tellTimesIn("UTC");
  const read = [
    counted(1234, "job"),
    decimal(1234.5, 1),
    duration(12_345),
    percent(0.9518),
    size(1656),
    clock(MOMENT, MOMENT),
    clock(MOMENT, NEXT_DAY),
  ];
  // Which blank it is, and marks of direction, are the business of fonts.
  expect(read.map((text) => text.replace(/\s/g, " "))).toEqual(told);
});

test.each(["en", "de", "fr", "ru", "ar", "ja"])("nouns are English also in a browser that speaks %s", (tag) => {
  tellIn(tag);
  expect([0, 1, 2, 21].map((number) => counted(number, "job"))).toEqual(["0 jobs", "1 job", "2 jobs", "21 jobs"]);
  expect([0, 1, 2].map((number) => counted(number, "property", "properties"))).toEqual(["0 properties", "1 property", "2 properties"]);
});

test("a clock has 24 hours, and UTC for whom it is chosen", () => {
  tellIn("en-US");
  tellTimesIn("UTC");
  expect(clock(Date.UTC(2026, 0, 5, 0, 5, 9), MOMENT, true)).toBe("00:05:09");
  expect(clock(MOMENT, MOMENT, true)).toBe("19:40:09");
});

test("small figures keep two places", () => {
  tellIn("de");
  expect([0, 0.256, 3.44, 1234].map(figure)).toEqual(["0", "0,26", "3,4", "1.234"]);
  expect(decimal(1.3, 2, 2)).toBe("1,30");
});
