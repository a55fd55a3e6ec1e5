/** Numbers, times and states as text for people, as `locale.ts` says. Pure but for that; every moment comes in as an argument. */

import type { Progress, RunState, RunSummary } from "../../api/types.gen.ts";
import { dayOf, decimal, moment as momentText, plural } from "./locale.ts";

export type Tone = "plain" | "good" | "busy" | "bad";

/** What is longer is cut in the middle. Ids of runs and jobs are shorter: it is their middle that tells them apart. */
const WHOLE = 18;
const FRONT = 8;
const BEHIND = 4;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function count(number: number): string {
  return decimal(number, 0);
}

/** `1 worker`, `2 workers`. */
export function counted(number: number, one: string, other = `${one}s`): string {
  return `${count(number)} ${plural(number, one, other)}`;
}

export function isOver(state: RunState): boolean {
  return state !== "STARTED";
}

/** What is queued of a run that has ended waits for nobody. */
export function isHeld({ state, paused }: Pick<RunSummary, "state" | "paused">): boolean {
  return paused && !isOver(state);
}

/** `612 of 1,001 jobs, 12 reused, 300 answered, 2 failed`. Reused jobs are among those done, answered ones are not. */
export function jobs({ done, total, failed, answered = 0, reused = 0 }: Progress): string {
  const exceptions = [
    [reused, "reused"],
    [answered, "answered"],
    [failed, "failed"],
  ] as const;
  const told = exceptions.filter(([number]) => number > 0).map(([number, what]) => `${count(number)} ${what}`);
  return [`${count(done)} of ${counted(total, "job")}`, ...told].join(", ");
}

/** What whoever trusts a result should know of it, in words; nothing where it came from several places, or nobody knows. */
export function decided(state: RunState, places: number | null): string {
  return state === "FINISHED" && places === 1 ? "Decided from one place." : "";
}

/** How long ago a moment was; both in milliseconds since 1970. */
export function age(moment: number, now: number): string {
  const passed = now - moment;
  if (passed < 10_000) return "just now";
  if (passed < MINUTE) return `${Math.floor(passed / 1000)} s ago`;
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  return counted(Math.floor(passed / DAY), "day").concat(" ago");
}

/** `in 3 days`; both in milliseconds since 1970. */
export function ahead(moment: number, now: number): string {
  const left = moment - now;
  if (left <= 0) return "over";
  if (left < HOUR) return `in ${counted(Math.ceil(left / MINUTE), "minute")}`;
  return left < 2 * DAY ? `in ${counted(Math.round(left / HOUR), "hour")}` : `in ${counted(Math.round(left / DAY), "day")}`;
}

/** `3f2a91c0…77be` */
export function cut(id: string): string {
  return id.length <= WHOLE ? id : `${id.slice(0, FRONT)}…${id.slice(-BEHIND)}`;
}

/** A moment of today as `19:40`, of another day as `Jan 5, 19:40`; with seconds where they matter. */
export function clock(moment: number, now: number, seconds = false): string {
  return momentText(moment, dayOf(moment) !== dayOf(now), seconds);
}

/** `840 ms`, `12.3 s`, `4 min 05 s`, `2 h 03 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${decimal(Math.floor(ms / 100) / 10, 1)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${two(Math.floor((ms % MINUTE) / 1000))} s`;
  return `${Math.floor(ms / HOUR)} h ${two(Math.floor((ms % HOUR) / MINUTE))} min`;
}

/** A share of 0..1 as `95.2 %`. */
export function percent(part: number): string {
  return `${decimal(part * 100, 1)} %`;
}

export function rate(number: number): string {
  if (number <= 0) return "–";
  return number < 10 ? decimal(number, 1) : count(number);
}

/** A number of any size, 0 as well: `0`, `0.25`, `3.4`, `1,234`. */
export function figure(number: number): string {
  if (number >= 100) return count(number);
  return number >= 1 ? decimal(number, 1) : decimal(number, 2);
}

/** Bytes as `812 B`, `1.7 kB`, `31.5 MB`, `2.4 GB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${decimal(bytes / 1000, 1)} kB`;
  return bytes < 1e9 ? `${decimal(bytes / 1e6, 1)} MB` : `${decimal(bytes / 1e9, 1)} GB`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
