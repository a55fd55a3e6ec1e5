/**
 * What somebody has chosen for this browser: theme, density, keys, time zone, how wide the side bar is. Remembered here, sent nowhere.
 *
 * Owns the place in storage and the two attributes of the root element that styles read.
 */

import { signal } from "@preact/signals";

const STORED = "weevil-console";

export interface Prefs {
  readonly theme: "system" | "light" | "dark";
  readonly density: "normal" | "compact";
  /** Whether single letters do something. */
  readonly letters: boolean;
  readonly zone: "local" | "UTC";
  /** Whether the side bar shows words; `null`: as the screen allows. */
  readonly open: boolean | null;
}

const DEFAULTS: Prefs = { theme: "system", density: "normal", letters: true, zone: "local", open: null };

const ALLOWED: { readonly [K in keyof Prefs]: readonly Prefs[K][] } = {
  theme: ["system", "light", "dark"],
  density: ["normal", "compact"],
  letters: [true, false],
  zone: ["local", "UTC"],
  open: [null, true, false],
};

export const prefs = signal<Prefs>(DEFAULTS);

/** Takes what was chosen before: called by the entry script before anything is painted. */
export function loadPrefs(): void {
  show(prefsIn(localStorage.getItem(STORED)));
}

export function choose(change: Partial<Prefs>): void {
  show({ ...prefs.value, ...change });
  localStorage.setItem(STORED, JSON.stringify(prefs.value));
}

/** What is stored may come from another release, or from anything else of this origin. */
export function prefsIn(text: string | null): Prefs {
  let found: unknown;
  try {
    found = JSON.parse(text ?? "{}");
  } catch {
    return DEFAULTS;
  }
  if (typeof found !== "object" || found === null) return DEFAULTS;
  const known = Object.entries(found).filter(([name, value]) => (ALLOWED as Record<string, readonly unknown[]>)[name]?.includes(value));
  return { ...DEFAULTS, ...Object.fromEntries(known) };
}

function show(now: Prefs): void {
  prefs.value = now;
  const { dataset } = document.documentElement;
  if (now.theme === "system") delete dataset["theme"];
  else dataset["theme"] = now.theme;
  dataset["density"] = now.density;
}
