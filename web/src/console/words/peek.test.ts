/** What a peek tells of a row. */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { DeviceView, JobView, RunSummary, WaitingClassView, WorkerView } from "../../api/types.gen.ts";
import { devicePeek } from "./devicepeek.ts";
import { tellTimesIn } from "./locale.ts";
import { attemptPeek, classPeek, jobPeek, nodePeek, peekText, queuePeek, runPeek, versionPeek, workerPeek } from "./peek.ts";
import { settingPeek } from "./settingpeek.ts";
import { nodeMark } from "./states.ts";

const NOW = Date.UTC(2026, 0, 5, 12, 0);
const PROGRESS = { total: 9, queued: 1, running: 2, done: 5, failed: 1 };

beforeAll(() => tellTimesIn("UTC"));
afterAll(() => tellTimesIn("local"));

const RUN: RunSummary = {
  id: "run_1",
  project: "prj_1",
  name: "pi",
  workflow: "3f2a91c0d4e5f60718293a4b77be",
  state: "STARTED",
  createdAt: NOW - 60_000,
  finishedAt: null,
  paused: false,
  progress: PROGRESS,
};

test("a run", () => {
  expect(runPeek(RUN, NOW)).toMatchObject({ title: "pi", mark: { word: "running" }, address: "#/runs/run_1" });
  expect(peekText(runPeek(RUN, NOW))).toBe(
    "pi, running. Jobs: 5 of 9 jobs, 1 failed. Started: 11:59:00, 1 min ago. Workflow: 3f2a91c0…77be. Id: run_1",
  );
  const over = { ...RUN, state: "FAILED", paused: true, finishedAt: NOW - 5000, doubted: 2, trust: "quorum(2)" } as const;
  expect(runPeek(over, NOW).facts.map(([term]) => term)).toEqual(["Jobs", "Doubted", "Started", "Ended", "Judged by", "Workflow", "Id"]);
  expect(runPeek({ ...RUN, paused: true }, NOW).facts[1]?.[0]).toBe("Paused");
});

test("a job has its whole error", () => {
  const job = {
    id: "job_1",
    path: "/user/rootSupervisor/run_1/pool/7",
    state: "ENQUEUED",
    waits: "worker",
    waitsUntil: null,
    needs: { capabilities: ["javascript", "webcl"], memoryMb: 0 },
    reused: null,
    handedOut: 1,
    failures: 1,
    maxAttempts: 3,
    error: "TypeError: x is null\n<b>at</b> Code.js:2",
    enqueuedAt: NOW,
    endedAt: null,
  } as JobView;
  expect(jobPeek(job, NOW)).toMatchObject({ title: "7", address: "#/jobs/job_1" });
  const facts = new Map(jobPeek(job, NOW).facts);
  expect(facts.get("Waits")).toBe("waits for a worker; needs webcl");
  expect(facts.get("Newest error")).toBe(job.error);
  expect([facts.has("Worker"), facts.has("Ended")]).toEqual([false, false]);
});

test("an attempt of a worker, whose job not everybody may see", () => {
  const attempt = { startedAt: NOW - 5000, endedAt: NOW, end: "error", computeMs: 0 };
  const job = { id: "job_1", run: null, path: "pool/7", attempt: 2, error: "user", message: "x is null" };
  expect(attemptPeek(attempt, NOW)).not.toHaveProperty("address");
  expect(attemptPeek(attempt, NOW).facts.map(([term]) => term)).toEqual(["End", "Handed out", "Took"]);
  const told = attemptPeek({ ...attempt, job }, NOW);
  expect(told).toMatchObject({ title: "pool/7", address: "#/jobs/job_1" });
  const facts = new Map(told.facts);
  expect([facts.get("End"), facts.get("Error"), facts.get("Attempt"), facts.has("Run")]).toEqual(["error: user", "x is null", "2", false]);
});

test.each([
  [{ key: "lease-seconds", value: "30", origin: "default" }, "lease-seconds. Value: 30. From: default"],
  [{ key: "token", value: null, origin: "flag" }, "token. Value: set, and not shown: it may hold a secret. From: flag"],
  [{ key: "cert", value: null, origin: null }, "cert. Value: not set"],
])("the setting %o", (setting, text) => {
  expect(peekText(settingPeek(setting))).toBe(text);
});

test("a worker without an agent, a device and a GPU", () => {
  const worker = {
    id: "wrk_1",
    agent: "",
    capabilities: ["javascript"],
    memoryMb: 2048,
    slots: 0,
    busy: 0,
    mflops: 0,
    done: 1200,
    errors: 3,
    expired: 0,
    connectedAt: NOW,
    lastHeardAt: NOW,
  } as WorkerView;
  const { title, mark, facts } = workerPeek(worker, NOW);
  expect([title, mark?.word]).toEqual(["wrk_1", "lends nothing"]);
  const known = new Map(facts);
  expect([known.get("Done"), known.get("Device"), known.has("GPU"), known.get("Memory for a job")]).toEqual([
    "1,200",
    "no key",
    false,
    "2,048 MiB",
  ]);
});

test("a node", () => {
  const row = { id: "val3", place: 2, kind: "pool", state: "RUNNING", jobs: PROGRESS } as const;
  expect(peekText(nodePeek("run_1", row, nodeMark("RUNNING")))).toBe("val3, running. Kind: pool. Jobs: 5 of 9 jobs, 1 failed");
  expect(peekText(nodePeek("run_1", { ...row, jobs: null }, undefined))).toBe("val3. Kind: pool");
});

test("a class of what waits says all, for it has no page", () => {
  const row = {
    needs: { capabilities: ["javascript", "webcl"], memoryMb: 0 },
    leftOut: [],
    jobs: 12,
    oldestAt: NOW - 60_000,
    workers: 0,
    idle: 0,
    why: [{ code: "noneMeets", numbers: {}, text: "No worker has `webcl`.", cure: "Connect one." }],
  } as WaitingClassView;
  expect(classPeek(row, NOW).address).toBeUndefined();
  expect(peekText(classPeek(row, NOW))).toBe(
    "javascript, webcl. Jobs: 12. Oldest: 11:59:00, 1 min ago. Workers that meet it: 0, 0 idle. Reason: No worker has `webcl`. Connect one.",
  );
  expect(new Map(classPeek({ ...row, workers: 3, idle: 1 }, NOW).facts).get("Workers that meet it")).toBe("3, 1 idle");
});

test("a queue by its name", () => {
  const row = { project: "prj_1", queue: "sums", ready: 2, delayed: 0, held: 1, oldestAt: null };
  expect(queuePeek(row, NOW)).toMatchObject({ title: "sums", address: "#/queues/sums" });
  expect(peekText(queuePeek(row, NOW))).toBe("sums. Waiting: 2. Delayed: 0. Held: 1. Project: prj_1");
});

test("a version of a workflow", () => {
  const last = { run: "run_1", state: "FAILED", createdAt: NOW } as const;
  const version = { workflow: "3f2a91c0", createdAt: NOW, files: 2, bytes: 1700, lastRun: last, runs: 3 };
  const { title, address, facts } = versionPeek("pi", version, NOW);
  expect([title, address]).toEqual(["pi", "#/workflows/pi/3f2a91c0"]);
  expect(facts.map(([, text]) => text)).toEqual([
    "3f2a91c0",
    "12:00:00, just now",
    "2 files, 1.7 kB",
    "3 runs",
    "failed, 12:00:00, just now",
  ]);
  expect(versionPeek("pi", { ...version, lastRun: null, runs: 0 }, NOW).facts.map(([term]) => term)).not.toContain("Last run");
});

test("a device whose fingerprint is not told", () => {
  const device = {
    device: "3f2a91c0",
    rank: "newcomer",
    passes: 1,
    refuted: 1,
    restsUntil: NOW + 60_000,
    confirmed: 0,
    confirmedMs: 0,
    waiting: 2,
    connected: true,
    firstSeen: null,
    lastSeen: null,
    accepted: 0,
  } as unknown as DeviceView;
  const facts = new Map(devicePeek(device, NOW).facts);
  expect(facts.get("Believed")).toBe("newcomer: Its answers are compared, and have no say yet.");
  expect(facts.get("Stands")).toBe("Connected\nRests until 12:01:00: an answer of it differed. It begins anew then.");
  expect(facts.has("Fingerprint")).toBe(false);
});
