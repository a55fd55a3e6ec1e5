/** The closed doors of the job worker's realm. */

import { expect, test } from "vitest";
import { closeDoors } from "./prelude.ts";

test("a name is gone from the object and from what it inherits", () => {
  const base = { fetch: () => 1, kept: 2 };
  const realm = Object.create(base) as Record<string, unknown>;
  realm["fetch"] = () => 3;
  closeDoors(realm, ["fetch", "absent"]);
  expect("fetch" in realm).toBe(false);
  expect("fetch" in base).toBe(false);
  expect(realm["kept"]).toBe(2);
});

test("a name that cannot be deleted is covered, and free for a variable", () => {
  const base = Object.defineProperty({}, "close", { value: () => 1, configurable: false });
  const realm = Object.create(base) as { close?: unknown };
  closeDoors(realm, ["close"]);
  expect(realm.close).toBeUndefined();
  realm.close = 5;
  expect(realm.close).toBe(5);
});
