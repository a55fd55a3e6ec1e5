/** Which time a timeline shows: how it is zoomed and moved, and where its axis has marks. Pure. */

/** From one moment to a later one, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Nothing shorter is shown: moments are whole milliseconds. */
const SHORTEST_MS = 10;
const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 216e5, 432e5, 864e5,
];

export function widthOf({ from, to }: Span): number {
  return to - from;
}

/** Whole milliseconds, not too short, and inside of the whole. */
export function within({ from, to }: Span, whole: Span): Span {
  const most = Math.max(SHORTEST_MS, widthOf(whole));
  const width = Math.round(Math.min(Math.max(to - from, SHORTEST_MS), most));
  const begin = Math.round(Math.min(Math.max(from, whole.from), whole.from + most - width));
  return { from: begin, to: begin + width };
}

/** `factor` times as much time around a moment, which stays where it is. */
export function zoomed(span: Span, at: number, factor: number, whole: Span): Span {
  const width = Math.min(Math.max(widthOf(span) * factor, SHORTEST_MS), Math.max(SHORTEST_MS, widthOf(whole)));
  const share = (at - span.from) / Math.max(1, widthOf(span));
  const from = at - share * width;
  return within({ from, to: from + width }, whole);
}

/** Later by a share of what is shown; earlier where that is negative. */
export function moved(span: Span, share: number, whole: Span): Span {
  const by = widthOf(span) * share;
  return within({ from: span.from + by, to: span.to + by }, whole);
}

/** So that these moments are in sight, without another zoom where it can be. */
export function showing(span: Span, { from, to }: Span, whole: Span): Span {
  if (from >= span.from && to <= span.to) return span;
  const width = Math.max(widthOf(span), to - from);
  const begin = (from + to - width) / 2;
  return within({ from: begin, to: begin + width }, whole);
}

export function equal(one: Span, other: Span): boolean {
  return one.from === other.from && one.to === other.to;
}

/** Moments at whole steps since the beginning, so many at most. */
export function ticks(span: Span, begin: number, most: number): readonly number[] {
  const step = STEPS.find((one) => widthOf(span) / one <= most) ?? 864e5 * Math.ceil(widthOf(span) / 864e5 / most);
  const first = Math.ceil((span.from - begin) / step);
  const last = Math.floor((span.to - begin) / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => begin + (first + at) * step);
}

/** What an address says; `undefined` where it says nothing that can be shown. */
export function spanIn(query: URLSearchParams): Span | undefined {
  const [from, to] = ["from", "to"].map((name) => Number(query.get(name) ?? Number.NaN)) as [number, number];
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && from < to ? { from, to } : undefined;
}
