/** What a project may use, as people read and write it. */

import { expect, test } from "vitest";
import { QUOTA_FIELDS, boundsOf, quotaText, quotasOf } from "./quotas.ts";

const NONE = { openJobs: 0, openRuns: 0, storedBytes: 0, jobsAMinute: 0 };

test("a bound of 0 is none", () => {
  const told = (quotas: typeof NONE) => boundsOf(quotas).map(({ name, text }) => `${name}: ${text}`);
  expect(told(NONE)).toEqual(["Open jobs: no bound", "Open runs: no bound", "Stored: no bound", "Jobs put in: no bound"]);
  expect(told({ openJobs: 2400, openRuns: 2, storedBytes: 63_000_000, jobsAMinute: 6000 })).toEqual([
    "Open jobs: at most 2,400",
    "Open runs: at most 2",
    "Stored: at most 63 MB",
    "Jobs put in: at most 6,000 a minute",
  ]);
});

test.each([
  [{ ...NONE, storedBytes: 123_456_789 }, ["0", "0", "123.456789", "0"]],
  [{ openJobs: 1_000_000, openRuns: 20, storedBytes: 1, jobsAMinute: 600 }, ["1000000", "20", "0.000001", "600"]],
])("%o is %o in the form, and back again", (quotas, texts) => {
  expect(QUOTA_FIELDS.map((field) => quotaText(quotas, field))).toEqual(texts);
  expect(quotasOf(texts)).toEqual(quotas);
});

test("an empty field is no bound", () => {
  expect(quotasOf(["", "5", "", ""])).toEqual({ ...NONE, openRuns: 5 });
});
