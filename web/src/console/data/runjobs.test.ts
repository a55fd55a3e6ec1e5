/** The jobs of a run as one list, those that went wrong first. */

import { expect, test } from "vitest";
import type { JobView } from "../../api/types.gen.ts";
import type { JobsFilter } from "../../api/client.ts";
import { failuresFirst } from "./runjobs.ts";

const ALL: JobsFilter = { state: null, node: null, failed: false, text: "" };

function job(path: string, failures = 0): JobView {
  const needs = { capabilities: ["javascript"], memoryMb: 0 };
  const waits = { waits: null, waitsUntil: null, reused: null, handedOut: 1, maxAttempts: 3, enqueuedAt: 0, endedAt: null };
  return { id: path, path, state: "FINISHED", failures, needs, ...waits };
}

/** A server whose pages hold two jobs at most; every other one of them is empty. */
function server(jobs: readonly JobView[]) {
  const asked: string[] = [];
  const read = ({ failed }: JobsFilter, after: string | null, limit: number) => {
    asked.push(`${failed} ${after}`);
    const list = failed ? jobs.filter(({ failures }) => failures > 0) : jobs;
    const [from = 0, empty = 1] = (after ?? "0.1").split(".").map(Number);
    if (empty === 0) return Promise.resolve({ jobs: [], next: `${from}.1` });
    const page = list.slice(from, from + Math.min(2, limit));
    const end = from + page.length;
    return Promise.resolve({ jobs: page, next: end < list.length ? `${end}.0` : null });
  };
  return { read, asked };
}

const JOBS = [job("a"), job("b", 1), job("c"), job("d", 2), job("e", 1), job("f")];

test.each([1, 2, 3, 5, 9])("pages of %i have each job once, those that went wrong first", async (limit) => {
  const read = failuresFirst(server(JOBS).read, ALL);
  const found: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof read>> = await read(after, limit);
    expect(page.jobs.length).toBeLessThanOrEqual(limit);
    found.push(...page.jobs.map(({ path }) => path));
    after = page.next;
  } while (after !== null);
  expect(found).toEqual(["b", "d", "e", "a", "c", "f"]);
});

test("who asks for failures alone is told of no others", async () => {
  const { read, asked } = server(JOBS);
  const page = await failuresFirst(read, { ...ALL, failed: true })(null, 9);
  expect(page.jobs.map(({ path }) => path)).toEqual(["b", "d", "e"]);
  expect(page.next).toBeNull();
  expect(asked.every((one) => one.startsWith("true"))).toBe(true);
});

test("a server that has nothing to show is asked so often at most", async () => {
  let looks = 0;
  const read = () => Promise.resolve({ jobs: [], next: String(looks++) });
  expect(await failuresFirst(read, ALL)(null, 9)).toEqual({ jobs: [], next: "failed 19" });
});
