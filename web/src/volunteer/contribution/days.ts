/** Days of the volunteer's own calendar as plain numbers, so that no zone and no hour of the clock can move one. Pure. */

const DAY_MS = 86_400_000;
const DAYS_A_WEEK = 7;
/** The first of January 1970, which is day 0, was a Thursday. */
const THURSDAY = 3;

/** The day on which the moment `ms` falls, here and now. */
export function dayOf(ms: number): number {
  const here = new Date(ms);
  return Date.UTC(here.getFullYear(), here.getMonth(), here.getDate()) / DAY_MS;
}

/** Milliseconds since the epoch at which the day begins in UTC: to be written with that zone, whatever zone this is. */
export function utcOf(day: number): number {
  return day * DAY_MS;
}

/** 0 for a Monday. */
export function weekdayOf(day: number): number {
  return (day + THURSDAY) % DAYS_A_WEEK;
}
