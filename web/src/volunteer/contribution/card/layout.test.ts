/** The card's texts: all of them on it, none over another or over the edge, whatever a project is called. */

import { expect, test } from "vitest";
import { ContributionWords } from "../../words/contribution/words.ts";
import { LANGUAGES } from "../../words/words.ts";
import { Figures } from "../figures.ts";
import { type CardTexts, HEIGHT, type Measure, type Piece, STRIP_LEFT, STRIP_TOP, WIDTH, fitted, layOut, wrapped } from "./layout.ts";

/** Letters of 0.55 em, ideographs and pictures of 1. */
const measure: Measure = (text, font) => {
  const size = Number(/(\d+)px/.exec(font)?.[1]);
  return [...text].reduce((sum, letter) => sum + size * ((letter.codePointAt(0) ?? 0) > 0x2000 ? 1 : 0.55), 0);
};

function texts(language: (typeof LANGUAGES)[number], project: string, jobs: number, ms: number): CardTexts {
  const [words, figures] = [new ContributionWords(language), new Figures(language)];
  return {
    figures: [
      { value: figures.count(jobs), label: words.say("cardJobs") },
      { value: figures.span(ms), label: words.say("cardTime") },
    ],
    forLabel: words.say("cardFor"),
    project,
    line: words.say("cardLine", { host: "compute.example.org" }),
    since: words.say("since", { date: figures.date(0) }),
  };
}

function box(piece: Piece): { left: number; right: number; top: number; bottom: number } {
  const size = Number(/(\d+)px/.exec(piece.font)?.[1]);
  return { left: piece.x, right: piece.x + measure(piece.text, piece.font), top: piece.y - size * 0.8, bottom: piece.y + size * 0.2 };
}

const PROJECTS = [
  "",
  "Prime gaps",
  "The distribution of prime gaps below ten to the eighteenth power, and a half",
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
  "素数间隔".repeat(20),
  "🪲".repeat(60),
];
const AMOUNTS = [
  [1, 900],
  [48_213, 3.1e8],
  [123_456_789_012, 9e12],
] as const;

test.each(LANGUAGES.flatMap((language) => PROJECTS.map((project) => [language, project] as const)))("%s, %s", (language, project) => {
  for (const [jobs, ms] of AMOUNTS) {
    const pieces = layOut(texts(language, project, jobs, ms), measure);
    const boxes = pieces.map(box);
    for (const [at, { left, right, top, bottom }] of boxes.entries()) {
      expect([left >= 40, right <= WIDTH - 40, top >= 40, bottom <= HEIGHT - 40], pieces[at]?.text).toEqual([true, true, true, true]);
      for (const [other, piece] of boxes.entries()) {
        if (other <= at) continue;
        const apart = right <= piece.left || piece.right <= left || bottom <= piece.top || piece.bottom <= top;
        expect(apart, `${pieces[at]?.text} | ${pieces[other]?.text}`).toBe(true);
      }
    }
    const beside = boxes.filter(({ bottom, top }) => bottom > STRIP_TOP && top < STRIP_TOP + 112);
    expect(beside.every(({ right }) => right <= STRIP_LEFT)).toBe(true);
  }
});

test("texts are cut and broken between characters", () => {
  const face = "400 10px x";
  expect(fitted("short", face, 100, measure)).toBe("short");
  expect(fitted("🪲🪲🪲🪲", face, 30, measure)).toBe("🪲🪲…");
  expect(wrapped("one two three", face, 44, measure)).toEqual(["one two", "three"]);
  expect(wrapped("one two three four", face, 44, measure)).toEqual(["one two", "three…"]);
  expect(wrapped("abcdefghijkl", face, 44, measure)).toEqual(["abcdefgh", "ijkl"]);
  expect(wrapped("  ", face, 44, measure)).toEqual([]);
});
