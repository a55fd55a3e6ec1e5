/** Every catalogue says everything, with the same holes; every text of the page is in it. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EN, type Word } from "./en.ts";
import { CATALOGUES, LANGUAGES, Words, languageFor } from "./words.ts";

const holes = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((hole) => hole[1] ?? "").sort();
const page = readFileSync(new URL("../../../index.html", import.meta.url), "utf8");

test.each(LANGUAGES)("%s has every text, with the same placeholders", (language) => {
  const catalogue = CATALOGUES[language];
  expect(Object.keys(catalogue)).toEqual(Object.keys(EN));
  for (const word of Object.keys(EN) as Word[]) {
    expect(catalogue[word].trim(), word).not.toBe("");
    expect(holes(catalogue[word]), word).toEqual(holes(EN[word]));
  }
});

test("the page's own texts are the English ones", () => {
  const said = [...page.matchAll(/<(\w+)[^>]*\bdata-say="(\w+)"[^>]*>([^<]*)</g)];
  expect(said.length).toBeGreaterThan(30);
  for (const [, , word, text] of said) expect([word, text?.replace(/\s+/g, " ").trim()]).toEqual([word, EN[word as Word]]);
});

test("the page says nothing that is in no catalogue", () => {
  const body = page.slice(page.indexOf("<body>")).replace(/<select id="language".*?<\/select>/s, "");
  const bare = [...body.matchAll(/<(\w+)([^>]*)>([^<]*\p{L}[^<]*)/gu)].filter(([, , attributes]) => !/data-say|id="/.test(attributes ?? ""));
  expect(bare.map((found) => found[3]?.trim())).toEqual(["WeevilScout"]);
});

test.each([
  [["de-AT", "en"], "de"],
  [["fr-FR", "zh-CN"], "zh-Hans"],
  [["zh-TW"], "zh-Hans"],
  [["fr", "ja"], "en"],
  [[], "en"],
] as const)("%o: %s", (wishes, language) => {
  expect(languageFor(wishes)).toBe(language);
});

test("texts are filled in, numbers and days written as the language does", () => {
  const [en, de] = [new Words("en"), new Words("de")];
  expect(en.say("coresOf", { slots: 2, cores: 4 })).toBe("2 of 4");
  expect([en.count(1234), de.count(1234)]).toEqual(["1,234", "1.234"]);
  expect([en.speed(0), en.speed(1.25), de.speed(1873.4)]).toEqual(["–", "1.3", "1.873"]);
  expect(de.day(Date.UTC(2026, 10, 21, 12))).toBe("21. November 2026");
});
