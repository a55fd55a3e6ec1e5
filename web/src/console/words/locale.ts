/**
 * How the reader's browser writes numbers and moments, by `Intl`.
 *
 * The words of the console are English whatever the browser speaks. So its language decides where no word is needed: signs and groups of
 * numbers, the order of a date. The name of a month is written in English alone, and is digits elsewhere; nouns are English, and their
 * plurals go by English rules. Digits are those of ids and addresses. Values of jobs, ids, commands and whatever leaves the page as a file
 * are the same everywhere, and never come through here.
 */

const ENGLISH = "en";
const DIGITS = "latn";

let language = ENGLISH;
let zone: { timeZone?: string } = {};
/** To make one costs as much as to use it hundreds of times, and charts tell many moments a second. */
const numbers = new Map<number, Intl.NumberFormat>();
const moments = new Map<string, Intl.DateTimeFormat>();
const plurals = new Intl.PluralRules(ENGLISH);

/** As a language tag says: the browser's, told by the entry of the console. */
export function tellIn(tag: string): void {
  language = tag;
  numbers.clear();
  moments.clear();
}

/** In which time zone moments are told: the browser's own, or UTC. */
export function tellTimesIn(choice: "local" | "UTC"): void {
  zone = choice === "UTC" ? { timeZone: "UTC" } : {};
}

/** With so many decimal places at most, or exactly so many. */
export function decimal(number: number, most: number, least = 0): string {
  const key = 100 * most + least;
  const options = { numberingSystem: DIGITS, maximumFractionDigits: most, minimumFractionDigits: least };
  const format = numbers.get(key) ?? new Intl.NumberFormat(language, options);
  numbers.set(key, format);
  return format.format(number);
}

/** The one that belongs to so many things. */
export function plural(number: number, one: string, other: string): string {
  return plurals.select(number) === "one" ? one : other;
}

/** A moment by the clock of 24 hours, with its day where `day` says so. */
export function moment(at: number, day: boolean, seconds: boolean): string {
  const options: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  if (seconds) options.second = "2-digit";
  if (day) Object.assign(options, inWords() ? { day: "numeric", month: "short" } : { day: "2-digit", month: "2-digit" });
  return momentFormat(options).format(at);
}

/** Another text for each day. */
export function dayOf(at: number): string {
  return momentFormat({ dateStyle: "short" }).format(at);
}

function inWords(): boolean {
  return new Intl.Locale(language).language === ENGLISH;
}

function momentFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const all = { ...options, ...zone, numberingSystem: DIGITS };
  const key = JSON.stringify(all);
  const known = moments.get(key) ?? new Intl.DateTimeFormat(language, all);
  moments.set(key, known);
  return known;
}
