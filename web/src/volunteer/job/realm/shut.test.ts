/** What is not on the list is gone, in a realm of its own. The census of real browsers: tests/e2e/hostile_clients/realm.rs. */

import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { ALLOWED, AROUND, LANGUAGE } from "./allowed.ts";
import { shut } from "./shut.ts";

type Realm = typeof globalThis & Record<string, unknown>;

/** A global object as a worker has it: some names its own, some of its class, some listened to. */
function realm(before = ""): Realm {
  const made = runInNewContext("globalThis") as Realm;
  run(
    made,
    `class EventTarget { addEventListener(name) { return name } when() {} }
     class WorkerGlobalScope extends EventTarget { atob(text) { return text } fetch() {} get crypto() { return {} } }
     globalThis.EventTarget = EventTarget
     globalThis.inherited = WorkerGlobalScope.prototype
     Object.setPrototypeOf(globalThis, WorkerGlobalScope.prototype)
     ${before}`,
  );
  shut(made);
  return made;
}

const run = (made: Realm, text: string): unknown => made.eval(text);

test("rows are paths that other rows name, and no name stands twice", () => {
  const globals = ALLOWED.get("globalThis") ?? [];
  for (const [path, names] of ALLOWED) {
    expect(new Set(names).size, path).toBe(names.length);
    const [root, ...rest] = path.split(".");
    expect(globals, path).toContain(root);
    const [member] = rest;
    if (member !== undefined && member !== "prototype") expect(ALLOWED.get(root as string), path).toContain(member);
  }
  for (const line of (LANGUAGE + AROUND).split("\n")) expect(line === "" || /^[\w.]+: \S+( \S+)*$/.test(line), line).toBe(true);
});

test.each([
  ["a name of the global object", "globalThis.fetchLater = () => 1", "typeof fetchLater", "undefined"],
  ["a name of its class", "", "typeof fetch + (typeof inherited)", "undefinedundefined"],
  ["what is newest", "globalThis.NextYear = class { static now() {} }", "'NextYear' in globalThis", false],
  [
    "a static of a built-in",
    "Array.newest = Promise.newest = Math.newest = Intl.Collator.newest = () => 1",
    "[Array, Promise, Math, Intl.Collator].some((it) => 'newest' in it)",
    false,
  ],
  ["a method of a browser's class", "", "'when' in EventTarget.prototype", false],
  ["a class reached by an inherited constructor", "", "globalThis.constructor?.name === 'WorkerGlobalScope'", false],
  [
    "shared memory and late calls",
    "",
    "typeof SharedArrayBuffer + typeof FinalizationRegistry + typeof Atomics.waitAsync",
    "undefinedundefinedundefined",
  ],
  [
    "a name that cannot be taken off is covered",
    "Object.defineProperty(globalThis, 'close', { value: () => 1, writable: true })",
    "typeof close",
    "undefined",
  ],
])("%s", (_, before, text, expected) => {
  expect(run(realm(before), text)).toBe(expected);
});

test.each([
  ["a listed name that was inherited", "atob('x')", "x"],
  ["the language", "[1, 2].map(String).concat(Object.keys({ a: 1 })).join() + new Map([[1, 2]]).get(1)", "1,2,a2"],
  ["symbols of the language", "[...new Set([1])].length + Object(Symbol.iterator).toString()", "1Symbol(Symbol.iterator)"],
  ["a global variable of a name that is gone", "var fetch = 5; fetch", 5],
  ["a class of one's own", "class Mine extends Array { static of2() { return 2 } } Mine.of2() + Mine.from([1]).length", 3],
])("%s stays", (_, text, expected) => {
  expect(run(realm(), text)).toBe(expected);
});

test("nobody listens on the global object, and everybody elsewhere", () => {
  const made = realm();
  expect(() => run(made, "addEventListener('message', () => 1)")).toThrow("jobs cannot listen here");
  expect(() => run(made, "EventTarget.prototype.addEventListener.call(globalThis, 'error', () => 1)")).toThrow();
  run(made, "new EventTarget().addEventListener('x')");
});
