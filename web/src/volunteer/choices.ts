/**
 * What the volunteer chose: how many cores, for how much of the time, whether a hidden tab pauses, which language. Owns
 * the presets and what is remembered; never starts anything.
 */

import { LANGUAGES, type Language } from "./words/words.ts";

const KEY = "weevil.choices";
/** The same as `MAX_SLOTS` in crates/model/src/limits.rs. */
export const MAX_SLOTS = 256;
export const MIN_DUTY = 5;
export const PRESETS = ["quiet", "balanced", "full", "custom"] as const;
export type Preset = (typeof PRESETS)[number];

export interface Budget {
  readonly slots: number;
  /** Percent of each slot's time. */
  readonly duty: number;
}

export interface Choices {
  readonly preset: Preset;
  /** The volunteer's own, kept while a preset is chosen. */
  readonly own: Budget;
  readonly pauseHidden: boolean;
  /** Jobs may use the GPU, for this much of the time in percent. */
  readonly gpu: boolean;
  readonly gpuDuty: number;
  /** `undefined`: as the browser wishes. */
  readonly language: Language | undefined;
}

/** What a choice means on a machine with so many cores. */
export function budgetOf(choices: Choices, cores: number): Budget {
  switch (choices.preset) {
    case "quiet":
      return { slots: atLeastOne(cores / 4), duty: 25 };
    case "balanced":
      return { slots: atLeastOne(cores / 2), duty: 75 };
    case "full":
      return { slots: atLeastOne(cores), duty: 100 };
    case "custom":
      return { slots: Math.min(choices.own.slots, atLeastOne(cores)), duty: choices.own.duty };
  }
}

export function firstChoices(cores: number): Choices {
  const own = { slots: atLeastOne(cores / 2), duty: 75 };
  return { preset: "balanced", own, pauseHidden: false, gpu: false, gpuDuty: 50, language: undefined };
}

/** Browsers with storage switched off throw on touching it: then a choice lasts as long as the page. */
export function readChoices(storage: () => Storage, cores: number): Choices {
  const first = firstChoices(cores);
  const kept = read(storage);
  const own = (kept["own"] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    preset: PRESETS.find((preset) => preset === kept["preset"]) ?? first.preset,
    own: { slots: within(own["slots"], 1, MAX_SLOTS) ?? first.own.slots, duty: within(own["duty"], MIN_DUTY, 100) ?? first.own.duty },
    pauseHidden: kept["pauseHidden"] === true,
    gpu: kept["gpu"] === true,
    gpuDuty: within(kept["gpuDuty"], MIN_DUTY, 100) ?? first.gpuDuty,
    language: LANGUAGES.find((language) => language === kept["language"]),
  };
}

export function rememberChoices(storage: () => Storage, choices: Choices): void {
  try {
    storage().setItem(KEY, JSON.stringify(choices));
  } catch {
    return;
  }
}

function read(storage: () => Storage): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(storage().getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function within(value: unknown, least: number, most: number): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most ? value : undefined;
}

function atLeastOne(cores: number): number {
  return Math.max(1, Math.floor(cores));
}
