/** Columns of samples as what a chart shows: with gaps where nothing is known, in words and as the rows of a table. Pure. */

/** `null`: nothing is known of that moment. */
export type Values = readonly (number | null)[];

export interface ChartData {
  /** Moments in milliseconds since 1970, rising. */
  readonly at: readonly number[];
  /** One for each line of the chart, as long as `at`. */
  readonly values: readonly Values[];
  /** The span that is shown, whether or not there is something from all of it. */
  readonly from: number;
  readonly to: number;
  /** Nothing comes any more: what it was on average stands for it, since its last sample is of a moment and seldom a whole one. */
  readonly isOver?: boolean;
}

/** Samples that lie further apart than this many times their usual distance have a gap between them. */
const GAP = 2.5;

/** The same columns with nothing in the middle of each hole, so that no line is drawn over it. */
export function withGaps({ at, values, ...span }: ChartData, everyMs: number): ChartData {
  const holes = at.flatMap((moment, index) => (index > 0 && moment - (at[index - 1] ?? moment) > GAP * everyMs ? [index] : []));
  if (holes.length === 0) return { at, values, ...span };
  const filled = <T>(column: readonly T[], between: (index: number) => T): T[] =>
    column.flatMap((value, index) => (holes.includes(index) ? [between(index), value] : [value]));
  return {
    ...span,
    at: filled(at, (index) => ((at[index - 1] ?? 0) + (at[index] ?? 0)) / 2),
    values: values.map((column) => filled<number | null>(column, () => null)),
  };
}

export interface Summary {
  /** The newest that is known. */
  readonly last: number;
  readonly least: number;
  readonly most: number;
}

/** `undefined` where nothing is known. */
export function summaryOf(values: Values): Summary | undefined {
  let found: Summary | undefined;
  for (const value of values) {
    if (value === null) continue;
    const { least, most } = found ?? { least: value, most: value };
    found = { last: value, least: Math.min(least, value), most: Math.max(most, value) };
  }
  return found;
}

/** The number that stands for a line; `null` where nothing is known of it. */
export function headline(values: Values, isOver = false): number | null {
  return isOver ? mean(values) : (summaryOf(values)?.last ?? null);
}

export function isEmpty({ values }: ChartData): boolean {
  return values.every((column) => column.every((value) => value === null));
}

export interface TableRow {
  /** The moments of its first and its last sample. */
  readonly from: number;
  readonly to: number;
  /** The mean of each line; `null` where nothing is known. */
  readonly means: readonly (number | null)[];
}

/** The same facts in few rows, the newest first: people read no 2,000. Samples of which nothing is known make none. */
export function tableRows({ at, values }: ChartData, most: number): readonly TableRow[] {
  const size = Math.max(1, Math.ceil(at.length / most));
  const rows: TableRow[] = [];
  for (let end = at.length; end > 0; end -= size) {
    const begin = Math.max(0, end - size);
    const means = values.map((column) => mean(column.slice(begin, end)));
    if (means.some((value) => value !== null)) rows.push({ from: at[begin] ?? 0, to: at[end - 1] ?? 0, means });
  }
  return rows;
}

function mean(values: Values): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Steps between the marks of an axis, times a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];

/** A round end of an axis that begins at 0, a little above `most`. */
export function roundTop(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * (STEPS.find((step) => step * power >= most) ?? 10);
}
