/** The samples of the server as what charts show. Pure. */

import type { ProfileView, SeriesView } from "../../api/types.gen.ts";
import { type ChartData, type Values, withGaps } from "./data.ts";

/** Columns of `GET /api/v1/series` that a chart is made of, each of them as people are told it. */
export const FIGURES = {
  mflops: ({ mflops }) => mflops,
  jobs: ({ jobs, everyMs }) => jobs.map((number) => (number * 1000) / everyMs),
  waiting: ({ waiting }) => waiting,
  leased: ({ leased }) => leased,
  /** Per 1,000 attempts; nothing is known while there are none. */
  errors: ({ errors, attempts }) => errors.map((number, at) => share(number * 1000, attempts[at])),
  /** A share of 1; nothing is known while nobody lends a slot. */
  utilisation: ({ busy, slots }) => busy.map((number, at) => share(number, slots[at])),
  workers: ({ workers }) => workers,
} as const satisfies Readonly<Record<string, (view: SeriesView) => Values>>;

export type Figure = keyof typeof FIGURES;

function share(part: number, whole: number | undefined): number | null {
  return whole === undefined || whole <= 0 ? null : part / whole;
}

/** These figures over a span of so many milliseconds up to the newest sample. A hole in the samples is one in the lines. */
export function seriesData(view: SeriesView, wholeMs: number, figures: readonly Figure[]): ChartData {
  const to = view.at.at(-1) ?? view.since;
  const values = figures.map((figure) => FIGURES[figure](view));
  return withGaps({ at: view.at, values, from: to - wholeMs, to }, view.everyMs);
}

type Computed = Pick<ProfileView, "from" | "widthMs" | "mflops" | "busy">;

/** A column of a run's profile: each bin stands at its middle. */
export function profileData({ from, widthMs, ...columns }: Computed, column: "mflops" | "busy"): ChartData {
  const values = columns[column];
  const at = values.map((_, bin) => from + (bin + 0.5) * widthMs);
  return { at, values: [values], from, to: from + Math.max(1, values.length) * widthMs };
}
