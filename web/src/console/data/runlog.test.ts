/** Which lines of a log are shown for a text. */

import { expect, test } from "vitest";
import { fitting } from "./runlog.ts";

const LOGS = [
  { job: "job_1", path: "pool/0/each", number: 1, worker: "wrk_a", endedAt: 1, end: "completed", log: "begun\nhalf Way\nended" },
  { job: "job_2", path: "pool/1/each", number: 2, worker: "wrk_b", endedAt: 2, end: "error", log: "begun" },
];

test.each([
  ["", ["begun\nhalf Way\nended", "begun"]],
  ["BEGUN", ["begun", "begun"]],
  ["way", ["half Way"]],
  ["pool/1", ["begun"]],
  ["wrk_a ", ["begun\nhalf Way\nended"]],
  ["nothing", []],
])("%s is found in lines, paths and workers", (text, expected) => {
  expect(fitting(LOGS, text).map(({ log }) => log)).toEqual(expected);
});
