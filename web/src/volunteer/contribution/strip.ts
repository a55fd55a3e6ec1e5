/** The last 26 weeks as a strip of days, a column for each week from Monday to Sunday: which day is how dark. Pure. */

import { utcOf, weekdayOf } from "./days.ts";
import { type Day, type Ledger, NOTHING } from "./ledger.ts";

export const WEEKS = 26;
/** Shades beside the one of a day on which nothing was computed. */
export const LEVELS = 4;
const DAYS_A_WEEK = 7;

export interface Cell extends Day {
  readonly column: number;
  readonly row: number;
  /** 0 for a day without work, else by its share of the longest day. */
  readonly level: number;
}

export interface Month {
  /** The column in which its first Monday is. */
  readonly column: number;
  /** That Monday. */
  readonly day: number;
}

/** Every day of the strip up to `today`, in order. */
export function strip({ days }: Ledger, today: number): Cell[] {
  const first = firstOf(today);
  const known = new Map(days.map((day) => [day.day, day]));
  const all = Array.from({ length: today - first + 1 }, (_, at) => known.get(first + at) ?? blank(first + at));
  const longest = Math.max(1, ...all.map(({ ms }) => ms));
  return all.map((day, at) => ({
    ...day,
    column: Math.floor(at / DAYS_A_WEEK),
    row: at % DAYS_A_WEEK,
    level: day.jobs === 0 && day.ms === 0 ? 0 : Math.max(1, Math.ceil((day.ms / longest) * LEVELS)),
  }));
}

/** Where the names of months stand; one that has hardly begun at the left edge has no room for its own. */
export function months(today: number): Month[] {
  const monthOf = (day: number): number => new Date(utcOf(day)).getUTCMonth();
  const mondays = Array.from({ length: WEEKS }, (_, column) => ({ column, day: firstOf(today) + column * DAYS_A_WEEK }));
  const begins = mondays.filter(({ column, day }) => column === 0 || monthOf(day) !== monthOf(day - DAYS_A_WEEK));
  return begins.filter(({ column }, at) => (begins[at + 1]?.column ?? WEEKS) - column >= 2);
}

/** A Monday. */
function firstOf(today: number): number {
  return today - weekdayOf(today) - (WEEKS - 1) * DAYS_A_WEEK;
}

function blank(day: number): Day {
  return { day, ...NOTHING, aims: [] };
}
