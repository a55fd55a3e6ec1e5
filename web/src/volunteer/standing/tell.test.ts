/** How this browser stands: counts, its rank, and a rest for as long as it lasts. */

import { expect, test } from "vitest";
import type { Standing } from "../../api/types.gen.ts";
import { LANGUAGES, Words } from "../words/words.ts";
import { tellStanding } from "./tell.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const STANDING: Standing = { rank: "newcomer", given: 1061, confirmed: 40, waiting: 1020, refused: 1, restsUntil: null };

test("nothing is told of a browser of which nothing is known", () => {
  expect(tellStanding(null, NOW, new Words("en"))).toBeUndefined();
});

test("the figures are counts", () => {
  const told = tellStanding(STANDING, NOW, new Words("en"));
  expect([told?.given, told?.confirmed, told?.unchecked, told?.differed]).toEqual(["1,061", "40", "1,020", "1"]);
});

test.each([
  ["newcomer", "en", "is new here"],
  ["established", "en", "is established"],
  ["trusted", "en", "as trusted"],
  ["newcomer", "de", "neu hier"],
  ["established", "de", "bewährt"],
  ["trusted", "de", "vertrauenswürdig"],
  ["newcomer", "zh-Hans", "新加入"],
  ["established", "zh-Hans", "认可"],
  ["trusted", "zh-Hans", "可信"],
] as const)("%s, in %s", (rank, language, part) => {
  expect(tellStanding({ ...STANDING, rank }, NOW, new Words(language))?.rank).toContain(part);
});

test.each(LANGUAGES)("a rest is told with its end, while it lasts, in %s", (language) => {
  const words = new Words(language);
  const rest = (restsUntil: number | null): string | undefined => tellStanding({ ...STANDING, restsUntil }, NOW, words)?.rest;
  expect(rest(NOW + HOUR)).toContain(words.moment(NOW + HOUR));
  expect([rest(NOW), rest(NOW - HOUR), rest(null)]).toEqual(["", "", ""]);
});
