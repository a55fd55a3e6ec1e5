/** Words of the viewer of values. They come with it, not with the first view of the console. */

import type { Expected, Verdict } from "../../api/expected.ts";
import type { Face } from "../viewer/shape.ts";
import type { Statistics } from "../viewer/statistics.ts";
import { count, counted } from "./format.ts";

const FACES: Readonly<Record<Face, string>> = {
  headline: "Value",
  line: "Line",
  histogram: "Histogram",
  scatter: "Points",
  image: "Picture",
  table: "Table",
  tree: "Tree",
};

/** In the order in which they are told. */
const STATISTICS: readonly (readonly [keyof Statistics, string])[] = [
  ["count", "count"],
  ["nans", "NaN"],
  ["infinite", "infinite"],
  ["min", "min"],
  ["lower", "lower quartile"],
  ["median", "median"],
  ["upper", "upper quartile"],
  ["max", "max"],
  ["mean", "mean"],
  ["deviation", "standard deviation"],
];

export const VIEWER = {
  loading: "Loading…",
  retry: "Try again",
  noValue: "There is no value: what should give it has not ended, has ended without one, or its value is not kept any more.",
  unsavable: "This picture is larger than the browser can save. Take the value as a file instead.",
  faces: FACES,
  shownAs: "Shown as",
  download: "Download",
  copy: "Copy",
  copied: "Copied",
  scale: "Scale of the colours",
  linear: "linear",
  log: "logarithmic",
  nothingToPaint: "no number that this scale can show",
  search: "Search names and values",
  find: "Find",
  sortBy: (column: string): string => `Sort by ${column}`,
  row: "row",
  statistics: "Statistics",
  statisticNames: STATISTICS,
  axes: { index: "index", value: "value", count: "count" },
  bins: "Bins as a table",
  binFrom: "from",
  binTo: "to",
  binCount: "count",
  xAxis: "Across",
  yAxis: "Up",
  pixels: (width: number, height: number): string => `${width} × ${height} pixels`,
  fromTo: (min: string, max: string): string => `${min} is dark, ${max} is bright`,
  kind: (kind: string, bytes: string): string => `${kind}, ${bytes} in CBOR`,
  /** `why`: what is wrong with its bytes; empty where nothing is, as far as is known. */
  undecodable: (why: string): string =>
    why === ""
      ? "This value cannot be shown here: the browser could not decode it. The files have all of it."
      : `This value cannot be shown here: ${why}. The files have all of it.`,
  tooLong: (bytes: string): string => `This value has ${bytes}, more than can be shown here.`,
  found: (places: number, isAll: boolean): string =>
    places === 0 ? "Nothing found" : isAll ? counted(places, "place") : `The first ${counted(places, "place")}`,
  columns: (shown: number, all: number): string => `The first ${count(shown)} of ${counted(all, "column")}; the CSV has all of them.`,
  table: (rows: number): string => `Table of ${counted(rows, "row")}`,
  line: (numbers: number): string => `Line through ${counted(numbers, "number")}`,
  histogram: (numbers: number, bins: number): string => `Histogram of ${counted(numbers, "number")} in ${counted(bins, "bin")}`,
  scatter: (x: string, y: string): string => `Points of ${y} over ${x}`,
  /** What the line of a tree says of a value that can be opened. */
  object: (properties: number): string => `object with ${counted(properties, "property", "properties")}`,
  list: (kind: string, items: number): string => `${kind}(${items})`,
  /** What stands in a column: each of these that holds for it. */
  column: {
    numbers: (min: string, max: string, mean: string): string => `${min} to ${max}, mean ${mean}`,
    notFinite: (cells: number): string => `${cells} not finite`,
    texts: (cells: number): string => counted(cells, "text"),
    others: (cells: number): string => `${cells} other`,
    absent: (cells: number): string => `${cells} absent`,
  },
} as const;

const VERDICTS: Readonly<Record<Verdict, (expected: string, tolerance: number) => string>> = {
  same: () => "As expected.",
  differs: (expected) => `The workflow expects ${expected}.`,
  within: (expected, tolerance) => `Within ${tolerance} of the expected ${expected}.`,
  beyond: (expected, tolerance) => `More than ${tolerance} away from the expected ${expected}.`,
};

/** Empty where the two cannot be compared. */
export function verdictText(verdict: Verdict | undefined, { result, tolerance = 0 }: Expected): string {
  return verdict === undefined ? "" : VERDICTS[verdict](JSON.stringify(result), tolerance);
}
