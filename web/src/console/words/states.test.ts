/** Which shape and word each state has. */

import { expect, test } from "vitest";
import { jobMark, nodeMark, runMark } from "./states.ts";

test("runs", () => {
  const rows = [
    ["STARTED", false],
    ["STARTED", true],
    ["FINISHED", true],
    ["FAILED", false],
    ["CANCELLED", false],
  ] as const;
  const words = rows.map(([state, paused]) => runMark({ state, paused }).word);
  expect(words).toEqual(["running", "paused", "finished", "failed", "cancelled"]);
});

test("nodes", () => {
  const states = ["STARTED", "PARAM_NOT_FULFILLED", "PARAM_FULFILLED", "ENQUEUED", "RUNNING", "ANSWERED"] as const;
  const words = states.map((state) => nodeMark(state).word);
  expect(words).toEqual(["not begun", "waits for inputs", "has its inputs", "queued", "running", "answered"]);
  expect(states.map((state) => nodeMark(state, true).word)).toEqual(words.with(3, "held"));
  expect(nodeMark("ENQUEUED", true).shape).toBe("held");
  expect(nodeMark("ANSWERED").meaning).toBe("An answer is there and waits to be believed");
});

test.each([
  ["ENQUEUED", "worker", null, "queued", "queued"],
  ["ENQUEUED", "delay", null, "delayed", "held"],
  ["ENQUEUED", "resume", null, "held", "held"],
  ["ENQUEUED", "code", null, "held", "held"],
  ["RUNNING", null, null, "running", "running"],
  ["FINISHED", null, null, "finished", "finished"],
  ["FINISHED", null, "job_1", "reused", "reused"],
  ["FAILED", null, null, "failed", "failed"],
] as const)("a job that is %s and waits for %s", (state, waits, reused, word, shape) => {
  expect(jobMark({ state, waits, reused })).toMatchObject({ word, shape });
});
