/** Which page an address names. */

import { expect, test } from "vitest";
import { movedTo, queueAddress, routeOf, runAddress, withQuery } from "./routes.ts";

test.each([
  ["", "overview", "", ""],
  ["#/", "overview", "", ""],
  ["#/nothing", "overview", "", ""],
  ["#/runs", "runs", "", ""],
  ["#/runs?state=FAILED&q=pi", "runs", "", ""],
  ["#/runs/run_1", "run", "run_1", ""],
  ["#/runs/run_1/jobs", "run", "run_1", "jobs"],
  ["#/runs/run_1/about", "run", "run_1", "about"],
  ["#/runs/run_1/nothing", "overview", "", ""],
  ["#/workflows", "workflows", "", ""],
  ["#/workflows/a%20b", "workflows", "a b", ""],
  ["#/queue", "queue", "", ""],
  [queueAddress("50 %/_"), "queue-jobs", "50 %/_", ""],
  ["#/queues/%", "overview", "", ""],
  ["#/jobs/job_1", "job", "job_1", ""],
  ["#/workers", "workers", "", ""],
  ["#/settings", "settings", "", ""],
  ["#/people/acc_1", "person", "acc_1", ""],
  ["#/projects/bees/audit", "project-audit", "bees", ""],
  ["#/login/AB-CD", "login", "AB-CD", ""],
] as const)("%s", (hash, page, id, tab) => {
  expect(routeOf(hash)).toMatchObject({ page, id, tab });
});

test("what is filtered stands in the address", () => {
  const { query } = routeOf("#/runs?state=FAILED&q=a%26b");
  expect([query.get("state"), query.get("q"), query.get("none")]).toEqual(["FAILED", "a&b", null]);
  expect(withQuery("#/runs", { state: "FAILED", q: "" })).toBe("#/runs?state=FAILED");
  expect(withQuery("#/runs", { state: "" })).toBe("#/runs");
  expect(runAddress("run_1")).toBe("#/runs/run_1");
});

test("an address of an earlier release leads where its page is now", () => {
  expect([movedTo("#/devices"), movedTo("#/workers")]).toEqual(["#/workers", undefined]);
});
