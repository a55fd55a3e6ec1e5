/** A table as CSV (RFC 4180): byte for byte what the server sends as `text/csv`, see `crates/model/src/csv.rs`. Pure. */

import { type Layout, cellAt } from "./layout.ts";
import { ABSENT, literal } from "./text.ts";

const LINE_END = "\r\n";
/** Rows of one piece. */
const ROWS = 4096;
/** What a spreadsheet takes for a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@]/u;

/** Pieces of text that make the whole one after the other. */
export function* csvPieces(value: unknown, layout: Layout): Generator<string> {
  const name = layout.kind === "records" ? quoted : (own: string): string => own;
  yield layout.columns.map(name).join(",") + LINE_END;
  for (let from = 0; from < layout.rows; from += ROWS) {
    let piece = "";
    for (let row = from; row < Math.min(from + ROWS, layout.rows); row++) piece += line(value, layout, row) + LINE_END;
    yield piece;
  }
}

function line(value: unknown, layout: Layout, row: number): string {
  return layout.columns.map((_, column) => cell(cellAt(value, layout, row, column))).join(",");
}

function cell(value: unknown): string {
  if (value === ABSENT) return "";
  return typeof value === "string" ? quoted(value) : literal(value);
}

function quoted(text: string): string {
  return `"${FORMULA.test(text) ? "'" : ""}${text.replaceAll('"', '""')}"`;
}
