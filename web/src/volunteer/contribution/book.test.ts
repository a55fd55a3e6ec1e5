/** The ledger in its storage, and what the recorder writes there: several tabs, midnight, a storage that is full, off or in disorder. */

import { afterEach, expect, test } from "vitest";
import type { EndedAttempts } from "../../api/types.gen.ts";
import { ASIDE_KEY, Book } from "./book.ts";
import { dayOf } from "./days.ts";
import { KEY } from "./key.ts";
import { total } from "./ledger.ts";
import { Recorder, SAVE_EVERY_MS } from "./recorder.ts";
import { MAX_BYTES } from "./text.ts";

const ZONE = process.env["TZ"];
const MIDNIGHT = new Date(2026, 10, 28).getTime();

afterEach(() => {
  if (ZONE === undefined) delete process.env["TZ"];
  else process.env["TZ"] = ZONE;
});

/** A browser's storage, with room for so many characters. */
class Shelf implements Storage {
  [name: string]: unknown;
  readonly kept = new Map<string, string>();
  room = Infinity;

  get length(): number {
    return this.kept.size;
  }

  key(at: number): string | null {
    return [...this.kept.keys()][at] ?? null;
  }

  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    const others = [...this.kept].reduce((sum, [name, text]) => sum + (name === key ? 0 : text.length), 0);
    if (others + value.length > this.room) throw new DOMException("full", "QuotaExceededError");
    this.kept.set(key, value);
  }

  removeItem(key: string): void {
    this.kept.delete(key);
  }

  clear(): void {
    this.kept.clear();
  }
}

function ended(done = 1, workflow = "pi", hash = "aa"): EndedAttempts {
  return { slot: 0, workflow, workflowHash: hash, done, failed: 0, computeMs: done * 500, flops: done * 1e6 };
}

function jobsOn(shelf: Shelf): [day: number, jobs: number][] {
  return new Book(() => shelf).ledger.days.map(({ day, jobs }) => [day, jobs]);
}

test("a job across midnight counts on the day on which it ends", () => {
  const shelf = new Shelf();
  const recorder = new Recorder(new Book(() => shelf));
  recorder.hear([ended(3)], { date: MIDNIGHT - 1, now: 0 }, false);
  recorder.hear([ended(2)], { date: MIDNIGHT, now: SAVE_EVERY_MS }, false);
  const last = dayOf(MIDNIGHT) - 1;
  expect(jobsOn(shelf)).toEqual([
    [last, 3],
    [last + 1, 2],
  ]);
});

test("on a journey the days go on by the calendar at hand, and nothing is lost", () => {
  const shelf = new Shelf();
  const recorder = new Recorder(new Book(() => shelf));
  const noon = Date.UTC(2026, 10, 27, 23);
  for (const [at, zone] of ["Asia/Shanghai", "America/New_York", "Europe/Berlin"].entries()) {
    process.env["TZ"] = zone;
    recorder.hear([ended()], { date: noon + at, now: at * SAVE_EVERY_MS }, false);
  }
  expect(jobsOn(shelf).map(([, jobs]) => jobs)).toEqual([1, 2]);
});

test("a clock that is set back adds to a day before", () => {
  const shelf = new Shelf();
  const recorder = new Recorder(new Book(() => shelf));
  recorder.hear([ended()], { date: MIDNIGHT, now: 0 }, false);
  recorder.hear([ended()], { date: 0, now: SAVE_EVERY_MS }, false);
  recorder.hear([ended()], { date: MIDNIGHT, now: 2 * SAVE_EVERY_MS }, false);
  expect(jobsOn(shelf)).toEqual([
    [dayOf(0), 1],
    [dayOf(MIDNIGHT), 2],
  ]);
});

test("it writes at once, then every five seconds, and shows in between what is not written", () => {
  const book = new Book(() => shelf);
  const shelf = new Shelf();
  const recorder = new Recorder(book);
  const hear = (now: number): boolean => recorder.hear([ended()], { date: MIDNIGHT, now }, false);
  expect([hear(0), hear(1000), hear(SAVE_EVERY_MS - 1)]).toEqual([true, false, false]);
  expect([total(book.ledger).jobs, jobsOn(shelf)[0]?.[1]]).toEqual([3, 1]);
  expect([hear(SAVE_EVERY_MS), jobsOn(shelf)[0]?.[1]]).toEqual([true, 4]);
  expect(recorder.hear([], { date: MIDNIGHT, now: 9 * SAVE_EVERY_MS }, false)).toBe(false);
});

test("what is the last is written at once", () => {
  const shelf = new Shelf();
  const recorder = new Recorder(new Book(() => shelf));
  recorder.hear([ended()], { date: MIDNIGHT, now: 0 }, false);
  expect(recorder.hear([ended(2)], { date: MIDNIGHT, now: 1 }, true)).toBe(true);
  expect(jobsOn(shelf)).toEqual([[dayOf(MIDNIGHT), 3]]);
  recorder.hear([ended(4)], { date: MIDNIGHT, now: 2 }, false);
  expect(recorder.hear([], { date: MIDNIGHT, now: 3 }, true)).toBe(true);
  expect(jobsOn(shelf)).toEqual([[dayOf(MIDNIGHT), 7]]);
  expect(recorder.hear([], { date: MIDNIGHT, now: 4 }, true)).toBe(false);
});

test("an aim is the project where it is known in time, else the workflow; a stand-alone job has none", () => {
  const shelf = new Shelf();
  const recorder = new Recorder(new Book(() => shelf));
  recorder.save(0);
  recorder.hear([ended(1, "pi", "aa"), ended(1, "gaps", "bb"), ended(1, "", "cc")], { date: MIDNIGHT, now: 1 }, false);
  recorder.know("bb", "Prime gaps");
  recorder.save(2);
  expect(new Book(() => shelf).ledger.days[0]?.aims).toEqual(["pi", "Prime gaps"]);
});

test("two tabs add up", () => {
  const shelf = new Shelf();
  const [one, two] = [new Book(() => shelf), new Book(() => shelf)];
  for (const [book, jobs] of [
    [one, 1],
    [two, 10],
    [one, 100],
  ] as const) {
    book.add(5, { jobs, ms: 1, flops: 1 }, []);
    book.save();
  }
  expect(total(two.ledger)).toEqual({ jobs: 111, ms: 3, flops: 3 });
});

test("a storage that is full is tried again, and keeps nothing back", () => {
  const shelf = new Shelf();
  const book = new Book(() => shelf);
  shelf.room = 10;
  book.add(5, { jobs: 1, ms: 1, flops: 1 }, []);
  book.save();
  expect([book.isFleeting, total(book.ledger).jobs, shelf.length]).toEqual([true, 1, 0]);
  shelf.room = Infinity;
  book.add(5, { jobs: 1, ms: 1, flops: 1 }, []);
  book.save();
  expect([book.isFleeting, jobsOn(shelf)]).toEqual([false, [[5, 2]]]);
});

test("a storage that is switched off is no error", () => {
  const book = new Book(() => {
    throw new DOMException("denied", "SecurityError");
  });
  book.add(5, { jobs: 1, ms: 1, flops: 1 }, ["pi"]);
  book.save();
  expect([total(book.ledger).jobs, book.isFleeting, book.hasSetAside]).toEqual([1, true, false]);
  book.forget();
  expect(total(book.ledger).jobs).toBe(0);
});

test.each([
  ["broken", "{", 0],
  ["of a version to come", '{"version":2}', 0],
  ["longer than ours ever is", "x".repeat(MAX_BYTES + 1), 0],
  ["with one bad row", '{"version":1,"before":[0,0,0],"names":[],"days":[[5,4,1,1,[]],[6,-1,1,1,[]]]}', 4],
])("a text that is %s is set aside, and the counting goes on", (_, text, jobs) => {
  const shelf = new Shelf();
  shelf.setItem(KEY, text);
  const book = new Book(() => shelf);
  book.add(5, { jobs: 1, ms: 1, flops: 1 }, []);
  book.save();
  expect([total(book.ledger).jobs, book.hasSetAside]).toEqual([jobs + 1, true]);
  expect(shelf.getItem(ASIDE_KEY)).toBe(text.slice(0, MAX_BYTES));
});

test("what is good is not lost where there is no room to set the rest aside", () => {
  const shelf = new Shelf();
  const text = '{"version":1,"before":[0,0,0],"names":[],"days":[[5,4,1,1,[]],0]}';
  shelf.setItem(KEY, text);
  shelf.room = text.length + 5;
  const book = new Book(() => shelf);
  book.add(5, { jobs: 1, ms: 1, flops: 1 }, []);
  book.save();
  expect(jobsOn(shelf)).toEqual([[5, 5]]);
});

test("forgotten is forgotten, also what was not written yet and what was set aside", () => {
  const shelf = new Shelf();
  shelf.setItem(KEY, "{");
  const book = new Book(() => shelf);
  const recorder = new Recorder(book);
  recorder.hear([ended()], { date: MIDNIGHT, now: 0 }, false);
  recorder.hear([ended()], { date: MIDNIGHT, now: 1 }, false);
  recorder.forget();
  recorder.save(2);
  expect([shelf.length, book.ledger.days, book.hasSetAside]).toEqual([0, [], false]);
});
