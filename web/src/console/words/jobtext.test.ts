/** What the console says of the queue, of jobs and of attempts, and which jobs a list shows after it was read again. */

import { expect, test } from "vitest";
import type { AttemptView, JobFleet, JobView, JobWait } from "../../api/types.gen.ts";
import { renewed } from "../data/pages.ts";
import {
  answered,
  attemptStory,
  depth,
  endTone,
  ending,
  fateName,
  fateTone,
  fleetText,
  needing,
  policyMeaning,
  proofText,
  ranText,
  tries,
  waitedFrom,
  waiting,
} from "./jobtext.ts";

const NOW = new Date(2026, 0, 6, 12, 0).getTime();

const JOB: JobView = {
  id: "1",
  path: "key",
  state: "ENQUEUED",
  waits: "worker",
  waitsUntil: null,
  needs: { capabilities: ["javascript"], memoryMb: 0 },
  reused: null,
  handedOut: 0,
  failures: 0,
  maxAttempts: 3,
  enqueuedAt: NOW,
  endedAt: null,
};

const FLEET: JobFleet = {
  connected: 5,
  may: 1,
  known: 3,
  knownOnly: false,
  needed: 3,
  answered: 0,
  keyless: 0,
  resting: 0,
  restsUntil: null,
  leftOut: [],
};

test.each<readonly [Partial<JobFleet> | undefined, string]>([
  [undefined, ""],
  [{}, ""],
  [{ connected: 0 }, "no worker is connected"],
  [{ knownOnly: true }, "an established device is needed: 3 connected, 1 may still have it, 3 have to agree at least"],
  [{ answered: 4 }, ""],
  [{ answered: 4, may: 0 }, "another device or network is needed: 4 connected workers or a neighbour answered already"],
  [{ keyless: 1 }, "without a device key, never established: 1 connected worker"],
  [{ resting: 2, restsUntil: NOW + 3_600_000 }, "2 connected workers resting, the first until 13:00:00: an answer differed"],
  [{ leftOut: ["gecko"] }, "left out of this code: Firefox"],
  [{ leftOut: ["gecko", "webkit", "other"] }, "one engine alone computes its copies"],
])("why nobody takes it: %o", (fleet, text) => {
  expect(fleetText(fleet && { ...FLEET, ...fleet }, NOW)).toBe(text);
});

function list(...ids: string[]): JobView[] {
  return ids.map((id) => ({ ...JOB, id }));
}

test.each([
  [0, 0, 0, 0, 0, "Queue: empty"],
  [1, 1, 0, 0, 0, "Queue: 1 waits, 1 runs"],
  [0, 8, 0, 0, 0, "Queue: 0 wait, 8 run"],
  [120, 8, 3, 40, 0, "Queue: 120 wait, 8 run, 3 delayed, 40 held"],
  [1_000_000, 0, 0, 1, 0, "Queue: 1,000,000 wait, 0 run, 1 held"],
  [0, 2, 0, 0, 61, "Queue: 0 wait, 2 run, 61 answered"],
  [0, 0, 0, 0, 1, "Queue: 0 wait, 0 run, 1 answered"],
] as const)("%i, %i, %i, %i, %i: %s", (ready, leased, delayed, held, answered, text) => {
  expect(depth({ ready, leased, delayed, held, pausedSince: null, ...(answered === 0 ? {} : { answered }) })).toBe(text);
});

test.each<readonly [JobWait | null, number | null, string]>([
  ["worker", null, "waits for a worker"],
  ["worker", NOW + 9000, "waits for a worker, until 12:00:09 at most"],
  [null, null, ""],
  ["check", null, "waits for an answer from somebody else"],
  ["check", NOW + 9000, "waits for an answer from somebody else, until 12:00:09 at most"],
  ["delay", NOW + 86_400_000, "waits until Jan 7, 12:00:00"],
  ["code", null, "waits: its code was stopped, since it fails wherever it runs; the queue’s page lets it go"],
  ["resume", null, "waits: its run is paused"],
  ["lot", null, "waits for the checks of its lot"],
  ["overdue", null, "no worker took it in time"],
])("%s until %s: %s", (waits, waitsUntil, text) => {
  expect(waiting({ waits, waitsUntil }, NOW)).toBe(text);
});

test("needs beyond JavaScript are named", () => {
  const capabilities = ["javascript", "webcl"];
  expect(needing(JOB.needs)).toBe("");
  expect(needing({ capabilities, memoryMb: 0 })).toBe("needs webcl");
  expect(needing({ capabilities, memoryMb: 4096 })).toBe("needs webcl, 4,096 MiB of memory");
});

test("tries", () => {
  const failed = [
    { handedOut: 2, failures: 1 },
    { handedOut: 1, failures: 1, maxAttempts: 1 },
  ];
  const told = [{}, { handedOut: 1 }, ...failed, { handedOut: 4 }, { reused: "0" }];
  expect(told.map((change) => tries({ ...JOB, ...change }))).toEqual([
    "never handed out",
    "handed out once",
    "handed out twice, 1 of 3 attempts failed",
    "handed out once, 1 of 1 attempt failed",
    "handed out 4 times",
    "took a stored result",
  ]);
});

test("ends of attempts", () => {
  const ends = [null, "completed", "expired", "yielded", "lost", "cancelled"];
  expect(ends.map((end) => ending({ end, kind: null }))).toEqual([
    "running",
    "completed",
    "no heartbeat in time",
    "given back",
    "connection lost",
    "cancelled",
  ]);
  expect(ending({ end: "error", kind: "thrown" })).toBe("error: thrown");
  expect([null, "completed", "error", "expired", "lost"].map(endTone)).toEqual(["busy", "good", "bad", "bad", "plain"]);
});

test("policies, answers and what became of them", () => {
  expect(["quorum(3)", "none", "credible(0.001)", "quorum(3) "].map(policyMeaning)).toEqual([
    "a value is believed once 3 independent answers agree",
    "the first value of the right type is believed",
    "at most 1 in 1,000 of the values believed is expected to be wrong",
    "",
  ]);
  expect([answered("0123456789abcdef", null), answered(null, "thrown"), answered(null, null)]).toEqual(["0123456789ab", "thrown", "error"]);
  const fates = ["agreed", "refuted", null].map((fate) => ({ fate }));
  expect(fates.map(fateName)).toEqual(["agreed", "refuted", "not decided"]);
  expect(fates.map(fateTone)).toEqual(["good", "bad", "plain"]);
});

test("a list that is read again keeps what it showed beyond that page", () => {
  const ids = (next: string | null, first: string[], shown: string[]): string =>
    renewed({ rows: list(...first), next }, list(...shown), (job) => job.id)
      .map((job) => job.id)
      .join("");
  expect(ids("b", ["a", "b"], ["a", "b", "c"])).toBe("abc");
  expect(ids("c", ["b", "c"], ["a", "b", "c", "d"])).toBe("bcd");
  expect(ids("b", ["a", "b"], [])).toBe("ab");
  expect(ids(null, ["a"], ["a", "b", "c"])).toBe("a");
});

test("a proof has the last word", () => {
  expect([{}, { proof: "right" }, { proof: "wrong" }].map(proofText)).toEqual([
    "",
    "; by its proof it is right",
    "; by its proof it is wrong",
  ]);
});

test.each([
  [null, [], 9000, "–"],
  [null, [1], 9000, "4 s"],
  [50_000, [1], 99_000, "45 s"],
  [2000, [1], 99_000, "0 ms"],
])("a job that ended at %o says how long it ran", (endedAt, attempts, now, expected) => {
  const job = { endedAt, enqueuedAt: 1000 } as JobView;
  const history = { waitedMs: 4000, job, attempts: attempts as unknown as AttemptView[] };
  expect(ranText(history, now)).toBe(expected);
});

test.each([
  ["the first", { number: 1 }, undefined, 500],
  ["another", { number: 2 }, { number: 1, endedAt: 900 }, 900],
  ["the one before is not kept", { number: 7 }, undefined, undefined],
  ["one between is not kept", { number: 7 }, { number: 5, endedAt: 900 }, undefined],
  ["the one before goes on", { number: 2 }, { number: 1, endedAt: null }, undefined],
])("%s: since when an attempt was waited for", (_, attempt, before, since) => {
  expect(waitedFrom(attempt, before, 500)).toBe(since);
});

test.each([
  [{ startedAt: 3_000, endedAt: null, computeUs: 0, progress: 0.45 }, 1_000, "waited 2 s, 45 % done"],
  [{ startedAt: 3_000, endedAt: 4_200, computeUs: 840_000, progress: null }, undefined, "ran 1.2 s, of it 840 ms inside the code"],
  [{ startedAt: 3_000, endedAt: 3_000, computeUs: 9, progress: null }, 9_000, "waited 0 ms, ran 0 ms"],
])("an attempt in words: %j", (attempt, since, words) => {
  expect(attemptStory(attempt, since, 5_000).replace(/^from [\d:]+, /u, "")).toBe(words);
});
