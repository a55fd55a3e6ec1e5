/** Every ink of theme.css can be read on every ground, in both themes: WCAG 2.2, 1.4.3. Computed from the file itself. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const GROUNDS = ["ground", "panel", "sunken"];
const INKS = [
  "ink",
  "muted",
  "accent",
  "waiting",
  "queued",
  "held",
  "running",
  "finished",
  "reused",
  "failed",
  "cancelled",
  "paused",
  "added",
  "removed",
  "changed",
  "brand",
];
/** What is written on what is filled, and on what is chosen or told. */
const FILLED: readonly (readonly [ink: string, ground: string])[] = [
  ["on-accent", "accent"],
  ["on-accent", "accent-strong"],
  ["on-failed", "failed"],
  ["on-failed", "failed-strong"],
  ["on-brand", "brand"],
  ["on-brand", "brand-strong"],
  ["ink", "accent-soft"],
  ["accent", "accent-soft"],
  ["brand", "brand-soft"],
  ["failed", "failed-soft"],
  ["paused", "paused-soft"],
];
const TEXT = 4.5;
/** Borders of what can be pressed: WCAG 2.2, 1.4.11. */
const PARTS = 3;

const THEME = readFileSync(fileURLToPath(new URL("../src/theme.css", import.meta.url)), "utf8");
const TOKENS = new Map(
  [...THEME.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name = "", ...both]) => [name, both]),
);

/** What paper has of its own; all else is that of the light theme. */
const PAPER = new Map(
  [...(THEME.split("@media print")[1] ?? "").matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = "", one = ""]) => [name, one]),
);

const PAIRS = [...INKS.flatMap((ink) => GROUNDS.map((ground) => [ink, ground] as const)), ...FILLED];

test.each(PAIRS)("%s on %s", (ink, ground) => {
  expect(Math.min(...contrasts(ink, ground))).toBeGreaterThanOrEqual(TEXT);
});

test.each(["ground", "panel"])("edges of fields on %s", (ground) => {
  expect(Math.min(...contrasts("edge", ground))).toBeGreaterThanOrEqual(PARTS);
});

test.each(INKS)("%s on paper", (ink) => {
  expect(contrast(PAPER.get(ink) ?? TOKENS.get(ink)?.[0] ?? "", PAPER.get("ground") ?? "")).toBeGreaterThanOrEqual(TEXT);
});

test("paper is white, and written on in black", () => {
  expect([PAPER.get("ground"), PAPER.get("panel"), PAPER.get("ink")]).toEqual(["#ffffff", "#ffffff", "#000000"]);
});

test("every token has a colour in both themes", () => {
  expect([...TOKENS.keys()]).toEqual(expect.arrayContaining([...new Set(PAIRS.flat())]));
});

/** In the light theme, then in the dark one. */
function contrasts(ink: string, ground: string): readonly number[] {
  const [inks = [], grounds = []] = [TOKENS.get(ink), TOKENS.get(ground)];
  return inks.map((colour, theme) => contrast(colour, grounds[theme] ?? ""));
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
