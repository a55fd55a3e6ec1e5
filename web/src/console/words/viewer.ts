/** Words of the viewer of values. */

import { count, counted } from "./format.ts";
import type { Face } from "../viewer/shape.ts";

const FACES: Readonly<Record<Face, string>> = {
  headline: "Value",
  line: "Line",
  histogram: "Histogram",
  scatter: "Points",
  image: "Picture",
  table: "Table",
  tree: "Tree",
};

export const VIEWER = {
  loading: "Loading…",
  retry: "Try again",
  noValue: "There is no value yet, or none any more.",
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
  rowsSorted: "Sort by",
  row: "row",
  statistics: "Statistics",
  bins: "Bins as a table",
  binFrom: "from",
  binTo: "to",
  binCount: "count",
  xAxis: "Across",
  yAxis: "Up",
  pixels: (width: number, height: number): string => `${width} × ${height} pixels`,
  fromTo: (min: string, max: string): string => `${min} is dark, ${max} is bright`,
  kind: (kind: string, bytes: string): string => `${kind}, ${bytes} in CBOR`,
  undecodable: (why: string): string => `This value cannot be shown here: ${why}. The files have all of it.`,
  found: (places: number, isAll: boolean): string =>
    places === 0 ? "Nothing found" : `${isAll ? "" : "The first "}${counted(places, "place")}`,
  columns: (shown: number, all: number): string => `The first ${count(shown)} of ${counted(all, "column")}; the CSV has all of them.`,
  table: (rows: number): string => `Table of ${counted(rows, "row")}`,
  line: (numbers: number): string => `Line through ${counted(numbers, "number")}`,
  histogram: (numbers: number, bins: number): string => `Histogram of ${counted(numbers, "number")} in ${counted(bins, "bin")}`,
  scatter: (x: string, y: string): string => `Points of ${y} over ${x}`,
} as const;
