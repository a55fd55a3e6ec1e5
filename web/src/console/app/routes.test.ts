/** Which page an address names. */

import { expect, test } from "vitest";
import {
  diffAddress,
  editAddress,
  listIn,
  listText,
  movedTo,
  nodePageAddress,
  queueAddress,
  routeOf,
  runAddress,
  runNodeAddress,
  runPartAddress,
  withQuery,
} from "./routes.ts";

const HASH = "0a".repeat(32);

test.each([
  ["", "overview", "", ""],
  ["#/", "overview", "", ""],
  ["#/nothing", "overview", "", ""],
  ["#/runs", "runs", "", ""],
  ["#/runs?state=FAILED&q=pi", "runs", "", ""],
  ["#/runs/run_1", "run", "run_1", ""],
  ["#/runs/run_1/graph", "run", "run_1", "graph"],
  ["#/runs/run_1/overview", "run", "run_1", "overview"],
  ["#/runs/run_1/result", "run", "run_1", "result"],
  ["#/runs/run_1/jobs", "run", "run_1", "jobs"],
  ["#/runs/run_1/about", "run", "run_1", "about"],
  ["#/runs/run_1/nodes", "run", "run_1", "nodes"],
  ["#/runs/run_1/node", "run", "run_1", "node"],
  [nodePageAddress("run_1", "a&b"), "run", "run_1", "node"],
  ["#/runs/run_1/nothing", "overview", "", ""],
  ["#/workflows", "workflows", "", ""],
  ["#/workflows/a%20b", "workflows", "a b", ""],
  [`#/workflows/pi/${HASH}`, "workflow", "pi", HASH],
  [editAddress("a b", HASH), "editor", "a b", HASH],
  [editAddress("pi", "", "add"), "editor", "pi", ""],
  ["#/workflows/pi/x/edit", "overview", "", ""],
  [diffAddress(HASH, HASH), "diff", HASH, HASH],
  ["#/diff/x/y", "overview", "", ""],
  ["#/queue", "queue", "", ""],
  [queueAddress("50 %/_"), "queue-jobs", "50 %/_", ""],
  ["#/queues/%", "overview", "", ""],
  ["#/jobs/job_1", "job", "job_1", ""],
  ["#/workers", "workers", "", ""],
  ["#/workers/wrk_1", "worker", "wrk_1", ""],
  ["#/?span=2h", "overview", "", ""],
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
  expect(routeOf("#/?span=2h").query.get("span")).toBe("2h");
  expect(withQuery("#/runs", { state: "FAILED", q: "" })).toBe("#/runs?state=FAILED");
  expect(withQuery("#/runs", { state: "" })).toBe("#/runs");
  expect(runAddress("run_1")).toBe("#/runs/run_1");
  expect([runPartAddress("run_1", "graph"), runPartAddress("run_1", "log")]).toEqual(["#/runs/run_1", "#/runs/run_1/log"]);
  expect(runNodeAddress("run_1", "a&b")).toBe("#/runs/run_1?node=a%26b");
  expect(nodePageAddress("run_1", "a&b")).toBe("#/runs/run_1/node?node=a%26b");
});

test.each<readonly [string, readonly string[]]>([
  ["", []],
  ["code", ["code"]],
  ["code,log-2", ["code", "log-2"]],
  ["value-a%2Cb%20%25,code", ["value-a,b %", "code"]],
])("the entry %j names %o", (text, names) => {
  expect(listIn(text)).toEqual(names);
  expect(listText(names)).toBe(text);
});

test("an entry that cannot be read names nothing", () => expect(listIn("code,%zz")).toEqual([]));

test.each([
  ["#/devices", "#/workers"],
  ["#/workers", undefined],
  ["#/runs/run_1/node", "#/runs/run_1"],
  ["#/runs/run_1/node?node=&panels=code", "#/runs/run_1"],
  ["#/runs/run_1/node?node=n0", undefined],
])("%j leads to %j", (hash, place) => expect(movedTo(hash)).toBe(place));
