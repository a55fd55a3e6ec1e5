/**
 * What a value is, and in which ways it can be looked at: the first one is shown. Pure; made beside the decoder, off the page's thread.
 *
 * An array of nothing but numbers travels on as a Float64Array, which costs nothing to hand over.
 */

import type { TypedArray } from "../../volunteer/job/cbor-tags.ts";
import { type ColumnSummary, summarise } from "./columns.ts";
import { isPaintable, pictureOf, plainNumbers } from "./grid.ts";
import { type Histogram, histogramOf } from "./histogram.ts";
import { type Layout, isTyped, layoutOf } from "./layout.ts";
import { type Statistics, sorted, statisticsOf } from "./statistics.ts";
import { isSingle, kindOf } from "./text.ts";

export type Face = "headline" | "line" | "histogram" | "scatter" | "image" | "table" | "tree";

export interface Shape {
  readonly value: unknown;
  /** `Array` where `value` is the Float64Array that stands for one. */
  readonly kind: string;
  readonly faces: readonly [Face, ...Face[]];
  /** Where it is a table. */
  readonly layout?: Layout;
  readonly columns?: readonly ColumnSummary[];
  /** Where it is a list of numbers with something in it. */
  readonly numbers?: { readonly statistics: Statistics; readonly histogram: Histogram };
}

export function shapeOf(value: unknown): Shape {
  const [kind, layout] = [kindOf(value), layoutOf(value)];
  if (isSingle(value)) return { value, kind, faces: ["headline"], ...(layout && { layout }) };
  const list = numbersIn(value);
  if (list !== undefined && layout !== undefined) return shapeOfNumbers(list, kind, layout);
  if (pictureOf(value) !== undefined) return { value, kind, faces: ["image", "tree"] };
  if (layout === undefined) return { value, kind, faces: ["tree"] };
  const columns = summarise(value, layout);
  return { value, kind, faces: facesOfTable(layout, columns), layout, columns };
}

function numbersIn(value: unknown): TypedArray | undefined {
  if (isTyped(value)) return value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.every((item) => typeof item === "number") ? Float64Array.from(value as number[]) : undefined;
}

function shapeOfNumbers(value: TypedArray, kind: string, layout: Layout): Shape {
  const numbers = plainNumbers(value);
  const finite = sorted(numbers);
  const statistics = statisticsOf(numbers, finite);
  const columns = summarise(value, layout);
  if (finite.length === 0) return { value, kind, faces: ["table"], layout, columns };
  const faces: Shape["faces"] = value.length === 1 ? ["table", "line", "histogram"] : ["line", "histogram", "table"];
  return { value, kind, faces, layout, columns, numbers: { statistics, histogram: histogramOf(finite, statistics) } };
}

function facesOfTable({ kind, rows }: Layout, columns: readonly ColumnSummary[]): Shape["faces"] {
  const numeric = columns.filter(({ numbers }) => numbers > 0).length;
  const isNumeric = columns.every(({ numbers }) => numbers === rows);
  if (kind === "rows" && isNumeric && columns.length === 2) return ["scatter", "table", "tree"];
  if (kind === "rows" && isNumeric && columns.length > 2 && isPaintable(columns.length, rows)) return ["image", "table", "tree"];
  return numeric > 1 ? ["table", "scatter", "tree"] : ["table", "tree"];
}
