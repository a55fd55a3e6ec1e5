/** What is remembered, what is not believed, what an address may ask for. */

import { expect, test } from "vitest";
import { type Preset, budgetOf, firstChoices, readChoices, rememberChoices } from "./choices.ts";
import { CONSENT_VERSION, consentOf, rememberConsent } from "./consent.ts";
import { autostart } from "./settings.ts";

/** Only what the settings use of a `Storage`. */
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

test.each<readonly [Preset, number, number, number]>([
  ["quiet", 1, 1, 25],
  ["quiet", 8, 2, 25],
  ["balanced", 3, 1, 75],
  ["balanced", 8, 4, 75],
  ["full", 8, 8, 100],
  ["custom", 8, 3, 40],
  ["custom", 2, 2, 40],
])("%s on %i cores: %i slots at %i %%", (preset, cores, slots, duty) => {
  const choices = { ...firstChoices(cores), preset, own: { slots: 3, duty: 40 } };
  expect(budgetOf(choices, cores)).toEqual({ slots, duty });
});

test("choices are remembered", () => {
  const store = storage();
  expect(readChoices(store, 8)).toEqual(firstChoices(8));
  const chosen = { preset: "custom", own: { slots: 6, duty: 35 }, pauseHidden: true, gpu: true, gpuDuty: 20, language: "de" } as const;
  rememberChoices(store, chosen);
  expect(readChoices(store, 8)).toEqual(chosen);
});

test.each([
  "",
  "nonsense",
  "null",
  "7",
  "[]",
  '{"preset":"loud","own":7,"pauseHidden":"yes","language":"tlh"}',
  '{"own":{"slots":0,"duty":4}}',
  '{"own":{"slots":2.5,"duty":101}}',
])("%o is no choice", (text) => {
  const store = storage();
  store().setItem("weevil.choices", text);
  expect(readChoices(store, 8)).toEqual(firstChoices(8));
});

test("a consent has a version and a time, and another version is another consent", () => {
  const store = storage();
  expect(consentOf(store)).toEqual({ kind: "none" });
  rememberConsent(store, 1_700_000_000_000);
  expect(consentOf(store)).toEqual({ kind: "given", at: 1_700_000_000_000 });
  store().setItem("weevil.consent", JSON.stringify({ version: CONSENT_VERSION - 1, at: 5 }));
  expect(consentOf(store)).toEqual({ kind: "changed", at: 5 });
});

test.each(["", "nonsense", "null", "{}", '{"version":"1","at":5}', '{"version":1}'])("%o is no consent", (text) => {
  const store = storage();
  store().setItem("weevil.consent", text);
  expect(consentOf(store)).toEqual({ kind: "none" });
});

test("storage that is switched off is no obstacle", () => {
  rememberChoices(blocked, firstChoices(2));
  rememberConsent(blocked, 1);
  expect(readChoices(blocked, 8)).toEqual(firstChoices(8));
  expect(consentOf(blocked)).toEqual({ kind: "none" });
});

test("only a page on this machine starts by itself", () => {
  const all = { duty: 100, gpu: false };
  expect(autostart({ hostname: "127.0.0.1", search: "?autostart" })).toEqual(all);
  expect(autostart({ hostname: "localhost", search: "?autostart&slots=3" })).toEqual({ slots: 3, ...all });
  expect(autostart({ hostname: "localhost", search: "?autostart&slots=3&duty=25" })).toEqual({ slots: 3, duty: 25, gpu: false });
  expect(autostart({ hostname: "localhost", search: "?autostart&duty=1" })).toEqual({ duty: 5, gpu: false });
  expect(autostart({ hostname: "[::1]", search: "?slots=9999&autostart=1" })).toEqual({ slots: 256, ...all });
  expect(autostart({ hostname: "localhost", search: "?autostart&gpu=1" })).toEqual({ duty: 100, gpu: true });
  expect(autostart({ hostname: "localhost", search: "?slots=3" })).toBeUndefined();
  expect(autostart({ hostname: "weevil.example", search: "?autostart" })).toBeUndefined();
  expect(autostart({ hostname: "localhost.example", search: "?autostart" })).toBeUndefined();
});
