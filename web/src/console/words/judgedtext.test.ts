/** What the page of a run says of how its values were believed. */

import { expect, test } from "vitest";
import { acceptedText, boundText, costText } from "./judgedtext.ts";

test.each([
  [{}, "No value is believed yet."],
  [{ trusted: 0, agreed: 1, lots: 0 }, "1 value believed: 1 since devices agree."],
  [{ proved: 4, agreed: 1 }, "5 values believed: 4 proved by the workflow, 1 since devices agree."],
  [{ trusted: 3, agreed: 20, lots: 1097 }, "1,120 values believed: 3 from trusted devices, 20 since devices agree, 1,097 with their lots."],
])("%o: %s", (stats, text) => {
  expect(acceptedText(stats)).toBe(text);
});

test.each([
  [{ answers: 1 }, "1 answer."],
  [{ answers: 312, perJob: 1.306 }, "312 answers, 1.31 for each job."],
  [{ answers: 312, perJob: 1.3, refuted: 2 }, "312 answers, 1.30 for each job; 2 found wrong."],
])("%o: %s", (stats, text) => {
  expect(costText(stats)).toBe(text);
});

test.each([
  [{}, ""],
  [
    { bound: 0.000_713, assumedLiars: 0.05 },
    "At most 1 in 1,402 of these values is expected to be wrong if liars do at most 5 % of the work.",
  ],
  [
    { bound: 0, assumedLiars: 0.05 },
    "None of these values is expected to be wrong: trusted devices computed all of them, or the workflow has proved them.",
  ],
])("%o: %s", (stats, text) => {
  expect(boundText(stats)).toBe(text);
});

test("where a value is doubted, trusted devices vouch for none", () => {
  const trusted = { bound: 0, assumedLiars: 0.05 };
  expect([0, 1].map((doubted) => boundText(trusted, doubted) === "")).toEqual([false, true]);
});
