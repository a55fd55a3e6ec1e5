/**
 * What this browser has computed, day by day: pure sums. Owns what is kept and for how long; knows neither a clock nor where
 * it is stored.
 */

/** Days that are kept one by one. */
export const MAX_DAYS = 400;
/** Aims that are remembered for one day, in the order in which they came. */
export const MAX_AIMS = 4;
/** Longer names of aims are cut. */
export const MAX_AIM_CHARS = 60;
/** Beyond this a number says nothing any more: jobs tell their operations themselves. */
export const MAX_SUM = 1e21;

export interface Sums {
  readonly jobs: number;
  /** Milliseconds inside jobs, those that failed among them. */
  readonly ms: number;
  /** Floating-point operations, as the jobs count them. */
  readonly flops: number;
}

export interface Day extends Sums {
  /** As `dayOf` numbers it. */
  readonly day: number;
  /** Projects, or workflows without one. */
  readonly aims: readonly string[];
}

export interface Ledger {
  /** In the order of the calendar, each once. */
  readonly days: readonly Day[];
  /** What days come to that are kept no longer. */
  readonly before: Sums;
}

export const NOTHING: Sums = { jobs: 0, ms: 0, flops: 0 };
export const EMPTY: Ledger = { days: [], before: NOTHING };

export function plus(a: Sums, b: Sums): Sums {
  return { jobs: bounded(a.jobs + b.jobs), ms: bounded(a.ms + b.ms), flops: bounded(a.flops + b.flops) };
}

/** Both together. Where that is too many days, the oldest ones become one sum, though never those that have just come. */
export function merge(ledger: Ledger, news: Ledger): Ledger {
  const days = new Map(ledger.days.map((day) => [day.day, day]));
  for (const day of news.days) days.set(day.day, join(days.get(day.day), day));
  let before = plus(ledger.before, news.before);
  const fresh = new Set(news.days.map(({ day }) => day));
  for (const old of inOrder(days.values())) {
    if (days.size <= MAX_DAYS) break;
    if (fresh.has(old.day)) continue;
    days.delete(old.day);
    before = plus(before, old);
  }
  return { days: inOrder(days.values()), before };
}

/** All that was ever computed here. */
export function total({ days, before }: Ledger): Sums {
  return days.reduce(plus, before);
}

/** The latest aims, each once, the newest first. */
export function latestAims({ days }: Ledger, most: number): string[] {
  const all = days.flatMap(({ aims }) => aims);
  return all.reduceRight<string[]>((latest, aim) => (latest.includes(aim) ? latest : [...latest, aim]), []).slice(0, most);
}

export function isEmpty({ days, before }: Ledger): boolean {
  return days.length === 0 && before.jobs === 0 && before.ms === 0;
}

/** Cut between characters, never within one. */
export function shortName(name: string): string {
  const characters = [...name.trim()];
  return characters.length <= MAX_AIM_CHARS ? characters.join("") : `${characters.slice(0, MAX_AIM_CHARS - 1).join("")}…`;
}

function join(known: Day | undefined, { day, aims, ...sums }: Day): Day {
  const all = new Set([...(known?.aims ?? []), ...aims.map(shortName).filter((name) => name !== "")]);
  return { day, ...plus(known ?? NOTHING, sums), aims: [...all].slice(0, MAX_AIMS) };
}

function inOrder(days: Iterable<Day>): Day[] {
  return [...days].sort((a, b) => a.day - b.day);
}

function bounded(number: number): number {
  return number >= 0 ? Math.min(MAX_SUM, Math.round(number)) : 0;
}
