/** The texts of what this browser has computed, in the page's language. Loaded with what shows them, not with the page. */

import { type Language, Phrases } from "../words.ts";
import { DE } from "./de.ts";
import { type ContributionCatalogue, type ContributionWord, EN } from "./en.ts";
import { ZH } from "./zh.ts";

export type { ContributionWord } from "./en.ts";

export const CATALOGUES = { en: EN, de: DE, "zh-Hans": ZH } as const satisfies Record<Language, ContributionCatalogue>;

export class ContributionWords extends Phrases<ContributionWord> {
  constructor(language: Language) {
    super(language, CATALOGUES[language]);
  }
}
