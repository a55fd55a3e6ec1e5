/** How pauses are told: since when, by whom, and why. */

import { expect, test } from "vitest";
import { tellTimesIn } from "./locale.ts";
import { QUEUE } from "./queue.ts";
import { pausedText } from "./run.ts";

const NOW = 50_520_000 + 60_000;
const GOES_ON = "nothing of it is handed out. What workers hold goes on.";

test.each([
  [{}, `Paused: ${GOES_ON}`],
  [{ pausedSince: 50_520_000 }, `Paused since 14:02: ${GOES_ON}`],
  [{ pausedSince: 50_520_000, pausedBy: "ada" }, `Paused since 14:02 by ada: ${GOES_ON}`],
  [{ pausedSince: 50_520_000, pausedBy: "ada", pausedNote: "new rack" }, `Paused since 14:02 by ada: ${GOES_ON} Note: new rack`],
  [{ pausedSince: 50_520_000, pausedNote: "new rack" }, `Paused since 14:02: ${GOES_ON} Note: new rack`],
])("a run's pause %o is told", (run, text) => {
  tellTimesIn("UTC");
  expect(pausedText(run, NOW)).toBe(text);
});

test("what the server has paused says why", () => {
  expect(pausedText({ pausedWhy: "agreeFailed", pausedWords: "It traps.", pausedSince: 1 }, NOW)).toMatch(
    /^Paused by the server:.* It traps\.$/u,
  );
  expect(pausedText({ pausedWhy: "incomparable", pausedSince: 1 }, NOW)).toMatch(/^Paused by the server: known devices/u);
});

test("a pause of the queue is told with who and why, as far as that is known", () => {
  const goesOn = "nothing is handed out. What workers hold goes on.";
  expect(QUEUE.paused("14:02")).toBe(`Paused since 14:02: ${goesOn}`);
  expect(QUEUE.paused("14:02", "ada", "new rack")).toBe(`Paused since 14:02 by ada: ${goesOn} Note: new rack`);
});
