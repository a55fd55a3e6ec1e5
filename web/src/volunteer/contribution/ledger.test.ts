/** The ledger's sums, its bounds, and its text: whatever is read, nothing throws and nothing good is lost. */

import { expect, test } from "vitest";
import { type Day, EMPTY, type Ledger, MAX_AIMS, MAX_AIM_CHARS, MAX_DAYS, MAX_SUM, NOTHING, latestAims, merge, total } from "./ledger.ts";
import { MAX_BYTES, read, write } from "./text.ts";

const TODAY = 20_784;

function day(at: number, jobs = 1, aims: readonly string[] = []): Day {
  return { day: at, jobs, ms: jobs * 1000, flops: jobs * 1e6, aims };
}

function ledger(...days: Day[]): Ledger {
  return { days, before: NOTHING };
}

function full(aims: (at: number) => readonly string[] = () => []): Ledger {
  return ledger(...Array.from({ length: MAX_DAYS }, (_, at) => day(TODAY - MAX_DAYS + 1 + at, 1, aims(at))));
}

test("days are added up, kept in order, and know their aims once each", () => {
  const one = merge(EMPTY, ledger(day(TODAY, 2, ["pi"])));
  const two = merge(one, ledger(day(TODAY - 3, 5, ["primes"]), day(TODAY, 1, ["pi", "primes"])));
  expect(two.days).toEqual([day(TODAY - 3, 5, ["primes"]), day(TODAY, 3, ["pi", "primes"])]);
  expect(total(two)).toEqual({ jobs: 8, ms: 8000, flops: 8e6 });
  expect(latestAims(two, 9)).toEqual(["primes", "pi"]);
});

test("after 400 days the oldest becomes a sum, and nothing of the total is lost", () => {
  const next = merge(full(), ledger(day(TODAY + 1, 7)));
  expect([next.days.length, next.days[0]?.day, next.days.at(-1)?.day]).toEqual([MAX_DAYS, TODAY - MAX_DAYS + 2, TODAY + 1]);
  expect(next.before).toEqual({ jobs: 1, ms: 1000, flops: 1e6 });
  expect(total(next).jobs).toBe(MAX_DAYS + 7);
});

test.each([
  ["years back", 11],
  ["a day back", TODAY - 1],
  ["years ahead", TODAY + 20_000],
])("a clock that jumps %s loses no job, and no day but the oldest", (_, at) => {
  const jumped = merge(full(), ledger(day(at, 3)));
  expect(jumped.days.find((known) => known.day === at)?.jobs).toBe(at === TODAY - 1 ? 4 : 3);
  expect(jumped.days.length).toBe(MAX_DAYS);
  const back = merge(jumped, ledger(day(TODAY, 2)));
  expect(back.days.find((known) => known.day === TODAY)?.jobs).toBe(3);
  expect(total(back).jobs).toBe(MAX_DAYS + 5);
});

test("aims are bounded in number and length, cut between characters", () => {
  const names = ["🪲".repeat(MAX_AIM_CHARS + 1), "  ", "b", "c", "d", "e"];
  const [kept] = merge(EMPTY, ledger(day(TODAY, 1, names))).days;
  expect(kept?.aims).toEqual([`${"🪲".repeat(MAX_AIM_CHARS - 1)}…`, "b", "c", "d"]);
  expect(kept?.aims.length).toBe(MAX_AIMS);
});

test.each([NaN, -5, Infinity, MAX_SUM * 2])("a job may say that it has done %d operations", (flops) => {
  const odd = merge(EMPTY, ledger({ ...day(TODAY), flops }));
  expect(read(write(odd))).toEqual({ ledger: odd, intact: true });
  expect(total(merge(odd, odd)).flops).toBeLessThanOrEqual(MAX_SUM);
});

test("what is written is read again", () => {
  const kept = merge(
    full((at) => (at % 3 === 0 ? ["Prime gaps", "π"] : [])),
    ledger(day(TODAY + 1, 4, ["π"])),
  );
  expect(read(write(kept))).toEqual({ ledger: kept, intact: true });
  expect(read(write(EMPTY))).toEqual({ ledger: EMPTY, intact: true });
});

test("a text has at most 64 kB: the oldest days lose the names of their aims, no day its figures", () => {
  const wide = (at: number): string[] => Array.from({ length: MAX_AIMS }, (_, n) => `${at}.${n} ${"计".repeat(50)}`);
  const days = full(wide).days.map((one) => ({ ...one, jobs: 1e15, ms: 1e15, flops: MAX_SUM }));
  const text = write(ledger(...days));
  expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(MAX_BYTES);
  const { ledger: again, intact } = read(text);
  expect([intact, again.days.length, again.days.at(-1)?.aims, again.days[0]?.aims]).toEqual([true, MAX_DAYS, wide(MAX_DAYS - 1), []]);
  expect(again.days.map(({ jobs }) => jobs)).toEqual(days.map(({ jobs }) => jobs));
});

const GOOD = [TODAY, 1, 1000, 1e6, [0]];
const BEFORE = [0, 0, 0];

test.each([
  ["no JSON", "{", []],
  ["null", "null", []],
  ["a number", "7", []],
  ["a list", "[1]", []],
  ["of somebody else", '{"theme":"dark"}', []],
  ["of a version to come", JSON.stringify({ version: 2, before: BEFORE, names: ["pi"], days: [GOOD] }), []],
  ["days that are none", JSON.stringify({ version: 1, before: BEFORE, names: [], days: {} }), []],
  ["a negative count", JSON.stringify({ version: 1, before: BEFORE, names: ["pi"], days: [GOOD, [TODAY + 1, -1, 0, 0, []]] }), [TODAY]],
  ["half a job", JSON.stringify({ version: 1, before: BEFORE, names: ["pi"], days: [[TODAY + 1, 0.5, 0, 0, []], GOOD] }), [TODAY]],
  ["a day after the last", JSON.stringify({ version: 1, before: BEFORE, names: ["pi"], days: [GOOD, [1e9, 1, 0, 0, []]] }), [TODAY]],
  ["a text for a row", JSON.stringify({ version: 1, before: BEFORE, names: ["pi"], days: [GOOD, "row"] }), [TODAY]],
  ["no sum before", JSON.stringify({ version: 1, names: ["pi"], days: [GOOD] }), [TODAY]],
  [
    "too many days",
    JSON.stringify({ version: 1, before: BEFORE, names: [], days: [...Array.from({ length: MAX_DAYS }, () => [1, 1, 1, 1, []]), GOOD] }),
    [1, TODAY],
  ],
])("%s: what is good in it is read", (_, text, days) => {
  const { ledger: found, intact } = read(text);
  expect([intact, found.days.map((one) => one.day)]).toEqual([false, days]);
});

test("a name that is not there is no name", () => {
  const text = JSON.stringify({ version: 1, before: BEFORE, names: ["pi", 7], days: [[TODAY, 1, 1, 1, [0, 1, 2, -1, "length"]]] });
  expect(read(text).ledger.days[0]?.aims).toEqual(["pi"]);
});
