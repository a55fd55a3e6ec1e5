/** What a project uses and may use, as people read and write it. */

import { expect, test } from "vitest";
import { QUOTA_FIELDS, quotaText, quotasOf, usesOf } from "./quotas.ts";

const NONE = { openJobs: 0, openRuns: 0, storedBytes: 0, jobsAMinute: 0 };

test("what is used stands beside what may be", () => {
  const used = { openJobs: 1200, openRuns: 3, storedBytes: 31_500_000 };
  const told = (quotas: typeof NONE) => usesOf(used, quotas).map(({ name, text, share }) => [name, text, share]);
  expect(told(NONE)).toEqual([
    ["Open jobs", "1,200, no bound", null],
    ["Open runs", "3, no bound", null],
    ["Stored", "31.5 MB, no bound", null],
    ["Jobs put in", "no bound", null],
  ]);
  expect(told({ openJobs: 2400, openRuns: 2, storedBytes: 63_000_000, jobsAMinute: 6000 })).toEqual([
    ["Open jobs", "1,200 of 2,400", 0.5],
    ["Open runs", "3 of 2", 1],
    ["Stored", "31.5 MB of 63 MB", 0.5],
    ["Jobs put in", "at most 6,000 a minute", null],
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
