/** What is filtered goes into the address of the page that is shown, and of no other. */

import { beforeEach, expect, test, vi } from "vitest";
import { entryShown, listenForAddress, replaceAddress, replaceEntry, replaceQuery } from "./where.ts";

const bar = { hash: "" };
let heard: () => void;

beforeEach(() => {
  vi.stubGlobal("location", bar);
  vi.stubGlobal("history", { replaceState: (_state: null, _title: "", hash: string) => (bar.hash = hash) });
  vi.stubGlobal("addEventListener", (_kind: "hashchange", then: () => void) => (heard = then));
});

test.each([
  ["", { span: "2h" }, "#/?span=2h"],
  ["#/runs", { q: "pi", state: "" }, "#/runs?q=pi"],
  ["#/runs?q=pi", { q: "" }, "#/runs"],
])("the filters of %o", (hash, entries, written) => {
  bar.hash = hash;
  listenForAddress(() => undefined);
  replaceQuery(entries);
  expect(bar.hash).toBe(written);
  replaceQuery({ q: "again" });
  expect(bar.hash).toMatch(/\?q=again$/);
});

test.each(["#/workflows/pi", "#/runs/1", "#/runs/1?at=2"])("what is left says nothing of %s", (next) => {
  bar.hash = "#/runs/1?open=n0";
  listenForAddress(() => undefined);
  bar.hash = next;
  replaceQuery({ open: "n0" });
  expect(bar.hash).toBe(next);
  heard();
  replaceQuery({ open: "n1" });
  expect(bar.hash).toMatch(/\?open=n1$/);
});

test("a part of a page writes its own entry, which stays whatever else is filtered", () => {
  bar.hash = "#/runs?q=pi&peek=runs.run_1";
  listenForAddress(() => undefined);
  expect(entryShown("peek")).toBe("runs.run_1");
  replaceQuery({ q: "", state: "FAILED" });
  expect(bar.hash).toBe("#/runs?state=FAILED&peek=runs.run_1");
  replaceEntry("peek", "runs.run_2");
  expect(bar.hash).toBe("#/runs?state=FAILED&peek=runs.run_2");
  replaceEntry("peek", "");
  expect(bar.hash).toBe("#/runs?state=FAILED");
  bar.hash = "#/queue";
  replaceEntry("peek", "runs.run_3");
  expect(bar.hash).toBe("#/queue");
});

test("what is open stays while others are filtered, and says nothing of another page", () => {
  bar.hash = "#/runs/1/jobs?panels=code,unknown&faces=result:table.-2&node=n0";
  listenForAddress(() => undefined);
  expect([entryShown("panels"), entryShown("faces")]).toEqual(["code,unknown", "result:table.-2"]);
  replaceQuery({ node: "n1" });
  expect(bar.hash).toBe("#/runs/1/jobs?node=n1&panels=code%2Cunknown&faces=result%3Atable.-2");
  replaceEntry("panels", "");
  expect(bar.hash).toBe("#/runs/1/jobs?node=n1&faces=result%3Atable.-2");
  bar.hash = "#/jobs/1";
  heard();
  expect([entryShown("panels"), entryShown("faces")]).toEqual(["", ""]);
});

test("what is shown goes on under another address", () => {
  bar.hash = "#/workflows/pi/edit";
  listenForAddress(() => undefined);
  replaceAddress("#/workflows/pi/1/edit");
  replaceEntry("file", "Code.js");
  expect(bar.hash).toBe("#/workflows/pi/1/edit?file=Code.js");
});
