/** News on their beat, and while somebody holds them. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { untilBeat } from "./beat.ts";
import { deliver, heldBack, hold, overtake } from "./news.ts";

let shown: string[] = [];
/** Each test tells of things of its own. */
let tests = 0;
const named = (key: string): string => `${key} of ${tests}`;
const tell = (key: string, word: string): void => deliver(named(key), () => shown.push(word));

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(untilBeat());
  shown = [];
  tests += 1;
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test("what comes while the news are held is counted, and its newest shown afterwards", () => {
  tell("a", "a1");
  hold(true);
  tell("a", "a2");
  tell("b", "b1");
  tell("a", "a3");
  expect([shown, heldBack.value]).toEqual([["a1"], 3]);
  hold(false);
  expect([shown, heldBack.value]).toEqual([["a1", "a3", "b1"], undefined]);
  tell("c", "c1");
  expect(shown.at(-1)).toBe("c1");
});

test("what comes again soon is shown in one picture with all that waits, the newest of each", () => {
  tell("a", "a1");
  vi.advanceTimersByTime(200);
  tell("b", "b1");
  tell("a", "a2");
  tell("b", "b2");
  tell("a", "a3");
  vi.advanceTimersByTime(299);
  expect(shown).toEqual(["a1", "b1"]);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual(["a1", "b1", "a3", "b2"]);
  vi.advanceTimersByTime(500);
  tell("a", "a4");
  expect(shown.at(-1)).toBe("a4");
});

test("what waits for its picture is held as well", () => {
  tell("a", "a1");
  tell("a", "a2");
  hold(true);
  vi.advanceTimersByTime(500);
  expect(shown).toEqual(["a1"]);
  hold(false);
  expect(shown).toEqual(["a1", "a2"]);
});

test("what was shown by other means is not followed by what is older", () => {
  tell("a", "a1");
  tell("a", "a2");
  overtake(named("a"));
  vi.advanceTimersByTime(500);
  expect(shown).toEqual(["a1"]);
});

test("two that look at the same thing are both shown it", () => {
  const looking = [Symbol("states"), Symbol("states")];
  for (const time of [1, 2]) for (const [who, key] of looking.entries()) deliver(key, () => shown.push(`${time} to ${who}`));
  vi.advanceTimersByTime(500);
  expect(shown).toEqual(["1 to 0", "1 to 1", "2 to 0", "2 to 1"]);
});
