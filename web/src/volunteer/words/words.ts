/** The language of the page and its texts, filled in. Owns the choice among the catalogues; never touches the DOM. */

import { DE } from "./de.ts";
import { type Catalogue, EN, type Word } from "./en.ts";
import { ZH } from "./zh.ts";

export type { Word } from "./en.ts";

/** By the tag that the page's `lang` carries. */
export const CATALOGUES = { en: EN, de: DE, "zh-Hans": ZH } as const satisfies Record<string, Catalogue>;
export type Language = keyof typeof CATALOGUES;
export const LANGUAGES = Object.keys(CATALOGUES) as readonly Language[];

export type Values = Readonly<Record<string, string | number>>;

/** The first wish that there is a catalogue for, else English. Any kind of Chinese is nearer to its reader than that. */
export function languageFor(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const base = wish.toLowerCase().split("-")[0];
    const found = LANGUAGES.find((language) => language.split("-")[0] === base);
    if (found !== undefined) return found;
  }
  return "en";
}

/** The texts of one language, and its way of writing numbers and dates. */
export class Phrases<W extends string> {
  readonly language: Language;
  private readonly catalogue: Readonly<Record<W, string>>;
  private readonly whole: Intl.NumberFormat;
  private readonly tenths: Intl.NumberFormat;
  private readonly date: Intl.DateTimeFormat;
  private readonly time: Intl.DateTimeFormat;

  constructor(language: Language, catalogue: Readonly<Record<W, string>>) {
    this.language = language;
    this.catalogue = catalogue;
    this.whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
    this.tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
    this.date = new Intl.DateTimeFormat(language, { dateStyle: "long" });
    this.time = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  }

  has(text: string): text is W {
    return Object.hasOwn(this.catalogue, text);
  }

  say(word: W, values: Values = {}): string {
    return this.catalogue[word].replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
  }

  count(number: number): string {
    return this.whole.format(number);
  }

  /** A dash where there is none yet. */
  speed(mflops: number): string {
    if (mflops <= 0) return "–";
    return (mflops < 10 ? this.tenths : this.whole).format(mflops);
  }

  /** `ms` since the epoch. */
  day(ms: number): string {
    return this.date.format(ms);
  }

  /** A day and its time, here; `ms` since the epoch. */
  moment(ms: number): string {
    return this.time.format(ms);
  }
}

/** Those of the volunteer's page and of the card for other sites. */
export class Words extends Phrases<Word> {
  constructor(language: Language) {
    super(language, CATALOGUES[language]);
  }
}
