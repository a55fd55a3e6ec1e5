/** A realm is still until something in it can run later; a loose one proves that nothing is left. */

import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { LINGER_MS, Stillness } from "./still.ts";

type Realm = typeof globalThis;

interface Bench {
  readonly realm: Realm;
  readonly still: Stillness;
  readonly clock: { ms: number };
  readonly run: (text: string) => unknown;
}

function bench(): Bench {
  const clock = { ms: 0 };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const sleep = (ms: number): Promise<void> => {
    clock.ms += ms;
    return turn();
  };
  const still = new Stillness({ now: () => clock.ms, sleep, turn });
  const timers = { setTimeout, setInterval, clearTimeout, clearInterval, queueMicrotask, structuredClone };
  class SubtleCrypto {
    digest(later: Promise<unknown>): Promise<unknown> {
      return Promise.resolve(later);
    }
  }
  class Crypto {
    get subtle(): SubtleCrypto {
      return new SubtleCrypto();
    }
  }
  const realm = runInNewContext("globalThis", { ...timers, Crypto, SubtleCrypto }) as Realm;
  const run = realm.eval;
  const makers = run("[function () {}, function* () {}, async function () {}, async function* () {}].map(Object.getPrototypeOf)");
  still.guard(realm, makers as object[]);
  return { realm, still, clock, run };
}

test.each([
  "[1, 2, 3].map((n) => n * 2).join() + JSON.stringify({ a: 1 }) + Math.max(1, 2)",
  "(function* () { yield 1 })().next().value",
  "class A {}; new A().constructor === A",
  "({}).constructor === Object && [].constructor === Array",
  "typeof Object.getOwnPropertyDescriptor(globalThis, 'Promise').get",
  "clearTimeout(1)",
  "structuredClone({ a: 1 }).a",
])("still: %s", (text) => {
  const { still, run } = bench();
  run(text);
  expect(still.loose).toBe(false);
});

test.each([
  "Promise",
  "Promise.resolve()",
  "globalThis['Pro' + 'mise']",
  "eval('1')",
  "(0, eval)('1')",
  "Function",
  "Function('return 1')()",
  "(function () {}).constructor",
  "(() => 1).constructor('return 1')",
  "(function* () {}).constructor",
  "Array.constructor",
  "queueMicrotask(() => 1)",
  "setTimeout",
  "setInterval",
  "WebAssembly",
  "new Crypto().subtle",
  "SubtleCrypto.prototype.digest.call(0)",
  "Array.fromAsync",
  "Reflect.get(globalThis, 'setTimeout')",
  "Object.getOwnPropertyDescriptor(globalThis, 'Promise').get()",
])("loose: %s", (text) => {
  const { still, run } = bench();
  if (text.includes("fromAsync") && !("fromAsync" in Array)) return;
  run(text);
  expect(still.loose).toBe(true);
});

test.each([
  ["async function weevil_main() {}", true, true],
  ["function weevil_main() { return import('x') }", true, false],
  ["function weevil_main() { return asynchronous + important }", false, true],
  ["function weevil_main() { return 1 }", false, true],
])("what a text holds: %s", async (text, loose, provable) => {
  const { still } = bench();
  still.reads(text);
  expect(still.loose).toBe(loose);
  expect(await still.settle()).toBe(provable);
});

test("what stands behind a door is what was there, and gives way to a plain property", () => {
  const { realm, run } = bench();
  expect(run("eval === eval && typeof Promise === 'function' && Promise.resolve(1) instanceof Promise")).toBe(true);
  expect(run("var it = 5; (function () { var it = 6; return eval('it') })()"), "direct eval").toBe(6);
  expect(run("Function('a', 'b', 'return a + b')(1, 2) + new Function('return 3')()")).toBe(6);
  expect(run("(function () {}) instanceof Function && (function () {}).constructor === Function")).toBe(true);
  expect(run("class F extends Function { twice() { return this() * 2 } } new F('return 2').twice()")).toBe(4);
  expect(Object.getOwnPropertyDescriptor(realm, "Promise")?.get).toBeUndefined();
});

test("assignment makes an ordinary property, there or on what inherits", () => {
  const { still, run } = bench();
  expect(run("var f = function () {}; f.constructor = 7; f.constructor + Object.keys(f).join()")).toBe("7constructor");
  expect(still.loose).toBe(false);
});

test.each([
  ["a function made of text", "Function('return import(\"x\")')"],
  ["a function made of pieces", "Function('imp', 'ort', 'return imp' + 'ort(\"x\")')".replace("'imp', 'ort', ", "")],
  ["a timer's text", "setTimeout('import(\"x\")', 1e6)"],
  ["text that nobody reads", "eval('1')"],
])("cannot be proved: %s", async (_, text) => {
  const { still, run } = bench();
  run(text);
  expect(await still.settle()).toBe(false);
});

test("timers are ended, none is set after the job, and the runtime's own go on", async () => {
  const { realm, still, run } = bench();
  let ours = false;
  const own = setTimeout(() => (ours = true), 0);
  run("log = []; setTimeout(() => log.push('late'), 0); setInterval(() => log.push('often'), 0); clearTimeout(" + Number(own) + ")");
  expect(await still.settle()).toBe(true);
  run("setTimeout(() => log.push('between'), 0)");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((realm as unknown as { log: string[] }).log).toEqual([]);
  expect(ours).toBe(true);
  still.begin();
  await new Promise((resolve) => (run("(f) => setTimeout(f, 0, 1)") as (f: typeof resolve) => number)(resolve));
});

test("what was begun is waited for, and not for ever", async () => {
  const { still, clock, run } = bench();
  run("var done; new Crypto().subtle.digest({ then(keep) { done = keep } })");
  const settled = still.settle();
  setImmediate(() => run("done(1)"));
  expect(await settled).toBe(true);
  const before = clock.ms;
  run("new Crypto().subtle.digest({ then() {} })");
  expect(await still.settle()).toBe(false);
  expect(clock.ms - before).toBeGreaterThanOrEqual(LINGER_MS);
});
