/** What jobs are told of the time is the same in every zone and language; a clock that stands tells one moment. */

import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JobClock, MOMENT_MS, tellTime } from "./time.ts";

type Realm = typeof globalThis;

const before = process.env["TZ"];
beforeAll(() => {
  process.env["TZ"] = "America/St_Johns";
});
afterAll(() => {
  if (before === undefined) delete process.env["TZ"];
  else process.env["TZ"] = before;
});

function realm(standing: boolean): Realm {
  const made = runInNewContext("globalThis", { performance }) as Realm;
  const clock = new JobClock(made);
  if (standing) clock.stand();
  tellTime(made, clock);
  return made;
}

const run = (made: Realm, text: string): unknown => made.eval(text);

test.each([
  ["new Date(2013, 0, 1, 5).toISOString()", "2013-01-01T05:00:00.000Z"],
  ["new Date('2013-06-01T10:00').toISOString()", "2013-06-01T10:00:00.000Z"],
  ["new Date('2013-06-01 10:00').toISOString()", "2013-06-01T10:00:00.000Z"],
  ["new Date('Jun 1 2013 10:00').toISOString()", "2013-06-01T10:00:00.000Z"],
  ["new Date('6/1/2013').toISOString()", "2013-06-01T00:00:00.000Z"],
  ["new Date('2013-06-01').toISOString()", "2013-06-01T00:00:00.000Z"],
  ["new Date('2013-06-01T10:00+02:00').toISOString()", "2013-06-01T08:00:00.000Z"],
  ["new Date('Sat Jun 01 2013 10:00:00 GMT+0200 (CEST)').toISOString()", "2013-06-01T08:00:00.000Z"],
  ["new Date('10:00 1 Jun 2013 EST').toISOString()", "2013-06-01T15:00:00.000Z"],
  ["String(new Date(0))", "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)"],
  ["new Date(0).toDateString() + new Date(0).toTimeString()", "Thu Jan 01 197000:00:00 GMT+0000 (Coordinated Universal Time)"],
  ["String(new Date(NaN)) + new Date(NaN).getTimezoneOffset()", "Invalid DateNaN"],
  ["var d = new Date(0); d.setHours(25, 1); d.toISOString()", "1970-01-02T01:01:00.000Z"],
  ["var d = new Date(0); d.setYear(13); d.getYear() + d.toISOString()", "131913-01-01T00:00:00.000Z"],
  ["new Date(0).getTimezoneOffset() + new Date(0).getHours()", 0],
  ["new Date(0).toLocaleString()", "1/1/1970, 12:00:00 AM"],
  ["new Date(0).toLocaleString('de', { timeZone: 'Asia/Tokyo' })", "1.1.1970, 09:00:00"],
  ["new Intl.DateTimeFormat().resolvedOptions().timeZone", "UTC"],
  ["new Intl.NumberFormat('tlh').resolvedOptions().locale", "en"],
  ["Intl.Collator().resolvedOptions().locale + new Intl.PluralRules([]).resolvedOptions().locale", "enen"],
  ["(1234.5).toLocaleString() + (1234.5).toLocaleString('de')", "1,234.51.234,5"],
  ["new Date(new Date(5)).getTime() + new Date({ valueOf() { return 5 } }).getTime()", 10],
  ["new (class extends Date {})(7).getTime() + Date.UTC(1970, 0)", 7],
  ["new Date() instanceof Date && new Date(5).constructor === Date && Intl.DateTimeFormat() instanceof Intl.DateTimeFormat", true],
  ["Date.name + Date.length + typeof Date()", "Date7string"],
])("%s", (text, expected) => {
  expect(run(realm(false), text)).toBe(expected);
});

test.each([
  "Date.now()",
  "new Date().getTime()",
  "Date.parse(Date())",
  "new (new Date(5).constructor)().getTime()",
  "new (class extends Date {})().getTime()",
  "Reflect.construct(Date, []).getTime()",
  "Date.parse(Intl.DateTimeFormat('en', { dateStyle: 'short' }).format() + ' UTC')",
  "Date.UTC(...Intl.DateTimeFormat('en').formatToParts().filter((part) => part.type === 'year').map((part) => part.value), 0)",
  "performance.timeOrigin + performance.now()",
])("a clock that stands: %s", (text) => {
  expect(run(realm(true), text)).toBe(MOMENT_MS);
});

test("a clock that goes tells whole milliseconds", () => {
  const made = realm(false);
  expect(run(made, "Date.now()")).toBeGreaterThan(MOMENT_MS);
  expect(run(made, "performance.now() % 1 + performance.timeOrigin % 1")).toBe(0);
  expect(run(made, "Object.keys(performance).join()")).toBe("now,timeOrigin");
});
