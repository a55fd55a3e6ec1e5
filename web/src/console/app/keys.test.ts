/** What a press of a key means. */

import { expect, test } from "vitest";
import { KEY_PARTS } from "../words/keys.ts";
import { PLACES, type Press, commandOf } from "./keys.ts";

function press(key: string, rest: Partial<Press> = {}): Press {
  return { key, ctrl: false, meta: false, alt: false, inField: false, ...rest };
}

test.each([
  [press("k", { ctrl: true }), { kind: "palette" }],
  [press("K", { meta: true, inField: true }), { kind: "palette" }],
  [press("k", { ctrl: true, alt: true }), undefined],
  [press("c", { ctrl: true }), undefined],
  [press("?"), { kind: "help" }],
  [press("?", { inField: true }), undefined],
  [press("/"), { kind: "filter" }],
  [press("g"), { kind: "await" }],
  [press("j"), { kind: "move", by: 1, begin: true }],
  [press("k"), { kind: "move", by: -1, begin: false }],
  [press("ArrowDown"), { kind: "move", by: 1, begin: false }],
  [press("ArrowDown", { inField: true }), undefined],
  [press("Home"), { kind: "stride", by: -Infinity }],
  [press("End"), { kind: "stride", by: Infinity }],
  [press("PageUp"), { kind: "stride", by: -10 }],
  [press("PageDown"), { kind: "stride", by: 10 }],
  [press("PageDown", { inField: true }), undefined],
  [press("End", { ctrl: true }), undefined],
  [press("Escape", { inField: true }), { kind: "close" }],
  [press("["), { kind: "attempt", by: -1 }],
  [press("]"), { kind: "attempt", by: 1 }],
  [press("t"), { kind: "tables" }],
  [press(" "), { kind: "peek", begin: false }],
  [press(" ", { inField: true }), undefined],
  [press(" ", { ctrl: true }), undefined],
  [press("r"), undefined],
  [press("x"), undefined],
])("%o", (pressed, command) => {
  expect(commandOf(pressed, true, false)).toEqual(command);
});

test.each([
  ["o", { kind: "go", place: "overview" }],
  ["r", { kind: "go", place: "runs" }],
  ["w", { kind: "go", place: "workflows" }],
  ["q", { kind: "go", place: "queue" }],
  ["f", { kind: "go", place: "workers" }],
  ["g", { kind: "await" }],
  ["x", undefined],
])("g, then %s", (key, command) => {
  expect(commandOf(press(key), true, true)).toEqual(command);
});

test("single letters can be turned off, and the others stay", () => {
  for (const key of ["g", "?", "/", "j", "k", "t"]) expect(commandOf(press(key), false, true), key).toBeUndefined();
  expect(commandOf(press("ArrowUp"), false, false)).toEqual({ kind: "move", by: -1, begin: false });
  expect(commandOf(press("Home"), false, false)).toEqual({ kind: "stride", by: -Infinity });
  expect(commandOf(press("k", { ctrl: true }), false, false)).toEqual({ kind: "palette" });
});

test("help tells of each key of the whole console, and of none twice in a part", () => {
  const told = KEY_PARTS.map(({ rows }) => rows.map(([key]) => key as string));
  for (const keys of told) expect(new Set(keys).size, keys.join()).toBe(keys.length);
  const all = told.flat().flatMap((keys) => keys.split(/, | and | or /u));
  const letters = ["?", "/", "t", "j", "k", "[", "]", ...Object.keys(PLACES).map((letter) => `g ${letter}`)];
  for (const key of [...letters, "Home", "End", "Page Up", "Page Down"]) expect(all, key).toContain(key);
  const inList = KEY_PARTS.find(({ title }) => title === "In a list")?.rows.flatMap(([keys]) => keys.split(", "));
  expect(inList).toEqual(expect.arrayContaining(["Home", "End", "Page Up", "Page Down"]));
});
