/** Slots that were chosen, remembered or asked for by the address. */

import { expect, test } from "vitest";
import { autostart, defaultSlots, readSlots, rememberSlots } from "./settings.ts";

function storage(): () => Storage {
  const kept = new Map<string, string>();
  const fake = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  };
  return () => fake as unknown as Storage;
}

function blocked(): Storage {
  throw new Error("storage is switched off");
}

test.each([[1, 1], [2, 1], [3, 1], [8, 4], [255, 127]])("%i cores: %i slots at first", (cores, slots) => {
  expect(defaultSlots(cores)).toBe(slots);
});

test("a choice is remembered, within the cores of this machine", () => {
  const store = storage();
  expect(readSlots(store, 8)).toBe(4);
  rememberSlots(store, 6);
  expect(readSlots(store, 8)).toBe(6);
  expect(readSlots(store, 2)).toBe(2);
});

test.each(["", "0", "-3", "many", "1e3", "2.5"])("a remembered %o is no number of slots", (text) => {
  const store = storage();
  store().setItem("weevil.slots", text);
  expect(readSlots(store, 8)).toBe(4);
});

test("storage that is switched off is no obstacle", () => {
  rememberSlots(blocked, 3);
  expect(readSlots(blocked, 8)).toBe(4);
});

test("only a page on this machine starts by itself", () => {
  expect(autostart({ hostname: "127.0.0.1", search: "?autostart" })).toEqual({});
  expect(autostart({ hostname: "localhost", search: "?autostart&slots=3" })).toEqual({ slots: 3 });
  expect(autostart({ hostname: "[::1]", search: "?slots=9999&autostart=1" })).toEqual({ slots: 256 });
  expect(autostart({ hostname: "localhost", search: "?slots=3" })).toBeUndefined();
  expect(autostart({ hostname: "weevil.example", search: "?autostart" })).toBeUndefined();
  expect(autostart({ hostname: "localhost.example", search: "?autostart" })).toBeUndefined();
});
