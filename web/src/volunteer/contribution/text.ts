/**
 * The ledger as a text of at most 64 kB, and back. What is read is a stranger's word: everything is looked at, rows that make no
 * sense are left out, and the reader hears that something was.
 */

import { type Day, EMPTY, type Ledger, MAX_AIMS, MAX_DAYS, MAX_SUM, NOTHING, type Sums, merge } from "./ledger.ts";

/** The form that the text has. */
export const VERSION = 1;
/** The text has at most so many, in UTF-8. */
export const MAX_BYTES = 64_000;
/** The year 9999. */
const LAST_DAY = 2_932_896;
/** Days that keep the names of their aims, where all names together are too long. The numbers alone always fit. */
const NAMED_DAYS = [MAX_DAYS, 200, 100, 50, 25, 0];

export interface Reading {
  readonly ledger: Ledger;
  /** False: there was something else in it, or something more. */
  readonly intact: boolean;
}

export function write(ledger: Ledger): string {
  const texts = NAMED_DAYS.map((named) => () => writeWith(ledger, named));
  const fits = (text: string): boolean => new TextEncoder().encode(text).length <= MAX_BYTES;
  for (const text of texts) {
    const written = text();
    if (fits(written)) return written;
  }
  return writeWith(EMPTY, 0);
}

export function read(text: string): Reading {
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    return { ledger: EMPTY, intact: false };
  }
  const { version, before, names, days } = (kept ?? {}) as Readonly<Record<string, unknown>>;
  if (version !== VERSION || !Array.isArray(days) || !Array.isArray(names)) return { ledger: EMPTY, intact: false };
  const earlier = sums(before);
  const rows = days.slice(-MAX_DAYS).map((row) => readDay(row, names));
  const good = rows.filter((row) => row !== undefined);
  const ledger = merge({ days: [], before: earlier ?? NOTHING }, { days: good, before: NOTHING });
  return { ledger, intact: earlier !== undefined && good.length === days.length };
}

function writeWith({ days, before }: Ledger, named: number): string {
  const names = new Map<string, number>();
  const rows = days.map((day, index) => {
    const aims = index >= days.length - named ? day.aims : [];
    for (const aim of aims) if (!names.has(aim)) names.set(aim, names.size);
    return [day.day, day.jobs, day.ms, day.flops, aims.map((aim) => names.get(aim))];
  });
  return JSON.stringify({ version: VERSION, before: [before.jobs, before.ms, before.flops], names: [...names.keys()], days: rows });
}

function readDay(row: unknown, names: readonly unknown[]): Day | undefined {
  if (!Array.isArray(row)) return undefined;
  const [day, jobs, ms, flops, aims] = row as unknown[];
  const found = sums([jobs, ms, flops]);
  if (found === undefined || !isWhole(day, LAST_DAY) || !Array.isArray(aims)) return undefined;
  const known = aims.slice(0, MAX_AIMS).map((at: unknown) => (typeof at === "number" ? names[at] : undefined));
  return { day, ...found, aims: known.filter((name) => typeof name === "string") };
}

function sums(row: unknown): Sums | undefined {
  const [jobs, ms, flops] = Array.isArray(row) ? (row as unknown[]) : [];
  return isWhole(jobs) && isWhole(ms) && isWhole(flops) ? { jobs, ms, flops } : undefined;
}

function isWhole(value: unknown, most = MAX_SUM): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
}
