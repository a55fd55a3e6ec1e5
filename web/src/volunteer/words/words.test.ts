/** Every catalogue says everything, with the same holes; every text of the page is in it. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CATALOGUES as CHECK } from "../../check/words/words.ts";
import { CATALOGUES as CONTRIBUTION } from "./contribution/words.ts";
import { EN } from "./en.ts";
import { CATALOGUES, LANGUAGES, Words, languageFor } from "./words.ts";

const holes = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((hole) => hole[1] ?? "").sort();
const page = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
const PAGES = { "index.html": EN, "embed.html": EN, "sandbox-check.html": CHECK.en } as const;

test.each(LANGUAGES)("%s has every text, with the same placeholders", (language) => {
  for (const { [language]: catalogue, en } of [CATALOGUES, CHECK, CONTRIBUTION] as Readonly<
    Record<string, Readonly<Record<string, string>>>
  >[]) {
    expect(Object.keys(catalogue ?? {})).toEqual(Object.keys(en ?? {}));
    for (const [word, english] of Object.entries(en ?? {})) {
      const text = catalogue?.[word] ?? "";
      expect(text.trim(), word).not.toBe("");
      expect(holes(text), word).toEqual(holes(english));
    }
  }
});

test.each(Object.entries(PAGES))("the texts of %s are the English ones", (name, english: Readonly<Record<string, string>>) => {
  const said = [...page(name).matchAll(/<(\w+)[^>]*\bdata-say="(\w+)"[^>]*>([^<]*)</g)];
  expect(said.length).toBeGreaterThan(4);
  for (const [, , word, text] of said) expect([word, text?.replace(/\s+/g, " ").trim()]).toEqual([word, english[word ?? ""]]);
});

test.each(Object.keys(PAGES))("%s says nothing that is in no catalogue", (name) => {
  const text = page(name);
  const body = text.slice(text.indexOf("<body>")).replace(/<select id="language".*?<\/select>/s, "");
  const bare = [...body.matchAll(/<(\w+)([^>]*)>([^<]*\p{L}[^<]*)/gu)].filter(
    ([, , attributes]) => !/data-say|id="/.test(attributes ?? ""),
  );
  expect(bare.map((found) => found[3]?.trim()).filter((said) => said !== "WeevilScout")).toEqual([]);
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
