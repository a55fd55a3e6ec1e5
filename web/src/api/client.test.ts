/** What goes to the server, and what its refusals become. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cancelRun, createRun, getRun, listRuns, listWorkflows, runStored } from "./client.ts";
import { Refusal, errorIn, read } from "./request.ts";
import { showAim } from "./volunteer.gen.ts";

beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: () => "half", removeItem: () => undefined });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const NOTHING = { name: "", files: [] };

function answer(status: number, body: string): { asked: [string, RequestInit | undefined][] } {
  const asked: [string, RequestInit | undefined][] = [];
  vi.stubGlobal("fetch", (path: string, request?: RequestInit) => {
    asked.push([path, request]);
    return Promise.resolve(new Response(body, { status }));
  });
  return { asked };
}

test("files travel under their relative names", async () => {
  const { asked } = answer(201, '{"run":"r1","workflow":"w","name":"pi","warnings":[]}');
  const files = [
    { name: "workflow.xml", content: new Blob(["<workflow/>"]) },
    { name: "lib/a.js", content: new Blob([""]) },
  ];
  expect((await createRun({ name: "pi", files })).run).toBe("r1");
  const [path, request] = asked[0] ?? [];
  expect([path, request?.method]).toEqual(["/api/v1/runs", "POST"]);
  const parts = (request?.body as FormData).getAll("file") as File[];
  expect(parts.map((part) => part.name)).toEqual(["workflow.xml", "lib/a.js"]);
  expect((request?.body as FormData).get("name")).toBe("pi");
});

test("a stored workflow runs again under its name, and a run is cancelled by its id", async () => {
  const { asked } = answer(201, '{"run":"r2"}');
  await runStored("abc", "pi");
  await cancelRun("a/b");
  expect(asked.map(([path, request]) => [path, request?.method])).toEqual([
    ["/api/v1/runs", "POST"],
    ["/api/v1/runs/a%2Fb/cancel", "POST"],
  ]);
  expect([...(asked[0]?.[1]?.body as FormData)]).toEqual([
    ["workflow", "abc"],
    ["name", "pi"],
  ]);
});

test("a run's inputs travel as literals, and reuse only when it is wanted", async () => {
  const { asked } = answer(201, '{"run":"r3"}');
  const inputs = [
    { id: "val1", value: "12" },
    { id: "text", value: "a=b " },
  ];
  await runStored("abc", "pi", { inputs, reuse: true });
  await runStored("abc", "pi", { inputs: [], reuse: false });
  const stored = [
    ["workflow", "abc"],
    ["name", "pi"],
  ];
  expect(asked.map(([, request]) => [...(request?.body as FormData)])).toEqual([
    [...stored, ["set", "val1=12"], ["set", "text=a=b "], ["reuse", "repeatable"]],
    stored,
  ]);
});

test("lists are asked for page by page", async () => {
  const { asked } = answer(200, '{"workflows":[{"name":"pi","versions":[]}],"runs":[],"next":null}');
  expect(await listWorkflows()).toEqual([{ name: "pi", versions: [] }]);
  await listRuns({ state: null, workflow: null }, "run_1");
  await listRuns({ state: "FAILED", workflow: null, q: "a b" }, null, 12);
  expect(asked.map(([path]) => path)).toEqual([
    "/api/v1/workflows?limit=1000",
    "/api/v1/runs?after=run_1",
    "/api/v1/runs?state=FAILED&q=a+b&limit=12",
  ]);
});

test("a refusal keeps its diagnostics", async () => {
  const found = {
    code: "c",
    severity: "error",
    file: "workflow.xml",
    line: 3,
    column: 5,
    endLine: 3,
    endColumn: 7,
    message: "m",
    help: null,
  };
  answer(422, JSON.stringify({ code: "workflow_refused", detail: "Two errors.", diagnostics: [found] }));
  const refusal = await createRun(NOTHING).catch((problem: unknown) => problem);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ code: "workflow_refused", message: "Two errors.", diagnostics: [found] });
});

test("a server that is not there", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(getRun("r1")).rejects.toThrow("The server cannot be reached.");
  await expect(createRun(NOTHING)).rejects.toThrow("larger than it allows");
});

test.each(["", "<html>502</html>", "null", "[]", '{"code":5}'])("a refusal with the body %o", (body) => {
  expect(errorIn(body, 502)).toEqual({ code: "http_502", detail: "The server answered with status 502." });
});

test("the session's key goes with every request that relies on it, and with no other", async () => {
  const { asked } = answer(200, "{}");
  await getRun("r1");
  await read(showAim("abc"));
  expect(asked.map(([, request]) => request?.headers)).toEqual([{ "x-weevil-session-key": "half" }, undefined]);
});
