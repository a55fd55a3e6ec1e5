/**
 * The rows of a timeline: a lane for each slot of a worker, or a row for each node, with attempts as bars in them. Pure.
 *
 * Never knows where a row is drawn.
 */

import type { TimelineAttempt, TimelineView } from "../../api/types.gen.ts";

export type By = "worker" | "node";

export interface Bar {
  readonly attempt: TimelineAttempt;
  readonly from: number;
  /** Now, while it runs. */
  readonly to: number;
}

/** How busy a row was, 0 to 1, in steps of one width. */
export interface Busy {
  readonly from: number;
  readonly widthMs: number;
  readonly shares: readonly number[];
}

export interface Row {
  readonly id: string;
  readonly label: string;
  /** In the order in which they begin. */
  readonly bars: readonly Bar[];
  /** Where attempts are too many to be told. */
  readonly busy?: Busy;
}

/** What is beyond is one row. */
export const MAX_ROWS = 256;
const FULL = 255;

interface Growing {
  readonly id: string;
  readonly label: string;
  readonly bars: Bar[];
}

export function rowsOf(
  view: TimelineView,
  by: By,
  now: number,
  words: { readonly rest: string; readonly slot: (slot: number) => string },
): readonly Row[] {
  if (view.attempts === null) return busyRows(view, words);
  const bars = view.attempts.map((attempt) => ({ attempt, from: attempt.from, to: Math.max(attempt.from, attempt.to ?? now) }));
  bars.sort((one, other) => one.from - other.from || one.attempt.number - other.attempt.number);
  const rows = by === "node" ? nodeRows(bars) : laneRows(view, bars, words.slot);
  return cutRows(rows, words.rest);
}

/** The node of an attempt's path: of a pool's element the pool, whose elements have numbers. */
export function nodeOf(path: string): string {
  return /^(.+)\/\d+\/[^/]+$/.exec(path)?.[1] ?? path;
}

function nodeRows(bars: readonly Bar[]): Growing[] {
  const rows = new Map<string, Growing>();
  for (const bar of bars) {
    const node = nodeOf(bar.attempt.path);
    const row = rows.get(node) ?? { id: node, label: node, bars: [] };
    row.bars.push(bar);
    rows.set(node, row);
  }
  return [...rows.values()];
}

/** In the order of workers and slots. Bars whose slot is not told stand where their worker has room. */
function laneRows(view: TimelineView, bars: readonly Bar[], slotWord: (slot: number) => string): Growing[] {
  const lanes = new Map<string, Growing & { readonly worker: string; readonly slot: number }>();
  const lane = (worker: string, slot: number) => {
    const id = `${worker}.${slot}`;
    const found = lanes.get(id) ?? { id, label: `${worker} ${slotWord(slot)}`, bars: [], worker, slot };
    lanes.set(id, found);
    return found;
  };
  for (const { worker, slot } of view.lanes) lane(worker, slot);
  for (const bar of bars) if (bar.attempt.slot !== null) lane(bar.attempt.worker, bar.attempt.slot).bars.push(bar);
  for (const bar of bars) {
    const { worker, slot } = bar.attempt;
    if (slot !== null) continue;
    let at = 0;
    while ((lanes.get(`${worker}.${at}`)?.bars ?? []).some((other) => overlap(bar, other))) at++;
    lane(worker, at).bars.push(bar);
  }
  const rows = [...lanes.values()].sort((one, other) => compare(one.worker, other.worker) || one.slot - other.slot);
  for (const row of rows) row.bars.sort((one, other) => one.from - other.from);
  return rows;
}

function overlap(one: Bar, other: Bar): boolean {
  return one.from < other.to && other.from < one.to;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function cutRows(rows: readonly Growing[], rest: string): readonly Row[] {
  if (rows.length <= MAX_ROWS) return rows;
  const bars = rows.slice(MAX_ROWS - 1).flatMap((row) => row.bars);
  return [...rows.slice(0, MAX_ROWS - 1), { id: "rest", label: rest, bars: bars.sort((one, other) => one.from - other.from) }];
}

function busyRows(
  { lanes, rest, sharesFrom, shareMs }: TimelineView,
  words: { readonly rest: string; readonly slot: (slot: number) => string },
): readonly Row[] {
  const rows: Row[] = lanes.map(({ worker, slot, first, shares }) => {
    const busy = { from: sharesFrom + first * shareMs, widthMs: shareMs, shares: shares.map((share) => share / FULL) };
    return { id: `${worker}.${slot}`, label: `${worker} ${words.slot(slot)}`, bars: [], busy };
  });
  const most = Math.max(...rest, 0);
  if (most === 0) return rows;
  const busy = { from: sharesFrom, widthMs: shareMs, shares: rest.map((slots) => slots / most) };
  return [...rows, { id: "rest", label: words.rest, bars: [], busy }];
}

/** The same rows with the bars alone that reach into this time. */
export function inSpan(rows: readonly Row[], { from, to }: { readonly from: number; readonly to: number }): readonly Row[] {
  return rows.map((row) => ({ ...row, bars: row.bars.filter((bar) => bar.from <= to && bar.to >= from) }));
}

/** Another bar in the direction of an arrow; the first one of all where there is none yet. */
export function neighbour(rows: readonly Row[], here: Bar | undefined, way: "left" | "right" | "up" | "down"): Bar | undefined {
  const row = here === undefined ? -1 : rows.findIndex(({ bars }) => bars.includes(here));
  if (here === undefined || row === -1) return rows.find(({ bars }) => bars.length > 0)?.bars[0];
  if (way === "left" || way === "right") {
    const bars = rows[row]?.bars ?? [];
    return bars[bars.indexOf(here) + (way === "left" ? -1 : 1)];
  }
  const step = way === "up" ? -1 : 1;
  for (let at = row + step; at >= 0 && at < rows.length; at += step) {
    const near = nearest(rows[at]?.bars ?? [], here);
    if (near !== undefined) return near;
  }
  return undefined;
}

function nearest(bars: readonly Bar[], { from }: Bar): Bar | undefined {
  let best: Bar | undefined;
  for (const bar of bars) if (best === undefined || Math.abs(bar.from - from) < Math.abs(best.from - from)) best = bar;
  return best;
}
