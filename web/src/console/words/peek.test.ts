/** What a peek tells of a row. */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobView, RunSummary, WorkerView } from "../../api/types.gen.ts";
import { tellTimesIn } from "./locale.ts";
import { jobPeek, nodePeek, peekText, runPeek, workerPeek } from "./peek.ts";
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
