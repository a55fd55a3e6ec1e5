/** What stands in the columns of a table, in a few words for each. Pure. */

import { type Layout, cellAt } from "./layout.ts";
import { ABSENT, numberText } from "./text.ts";
import { VIEWER } from "../words/viewer.ts";

export interface ColumnSummary {
  readonly name: string;
  /** Cells that hold a number, NaN among them. */
  readonly numbers: number;
  readonly texts: number;
  /** Anything else that is there. */
  readonly others: number;
  readonly absent: number;
  /** The smallest finite number; NaN where there is no such, like the next two. */
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** Significant digits of a mean. */
const DIGITS = 6;

export function summarise(value: unknown, layout: Layout): ColumnSummary[] {
  return layout.columns.map((name, column) => summary(name, layout.rows, (row) => cellAt(value, layout, row, column)));
}

function summary(name: string, rows: number, cell: (row: number) => unknown): ColumnSummary {
  let [numbers, texts, others, absent] = [0, 0, 0, 0];
  let [min, max, mean, finite] = [NaN, NaN, 0, 0];
  for (let row = 0; row < rows; row++) {
    const found = cell(row);
    if (found === ABSENT) absent += 1;
    else if (typeof found === "string") texts += 1;
    else if (typeof found !== "number" && typeof found !== "bigint") others += 1;
    else {
      numbers += 1;
      const number = Number(found);
      if (!Number.isFinite(number)) continue;
      if (!(number >= min)) min = number;
      if (!(number <= max)) max = number;
      finite += 1;
      mean += (number - mean) / finite;
    }
  }
  return { name, numbers, texts, others, absent, min, max, mean: finite === 0 ? NaN : mean };
}

/** `1 to 9, mean 4.5`, `3 texts, 1 absent`. */
export function summaryText({ numbers, texts, others, absent, min, max, mean }: ColumnSummary): string {
  const words = VIEWER.column;
  const parts: string[] = [];
  if (Number.isFinite(mean)) parts.push(words.numbers(numberText(min), numberText(max), String(Number(mean.toPrecision(DIGITS)))));
  else if (numbers > 0) parts.push(words.notFinite(numbers));
  if (texts > 0) parts.push(words.texts(texts));
  if (others > 0) parts.push(words.others(others));
  if (absent > 0) parts.push(words.absent(absent));
  return parts.join(", ");
}
