/**
 * Which values are tables, and their cells: the same rules as `crates/model/src/csv.rs`. Pure.
 *
 * Never copies a value.
 */

import type { TypedArray } from "../../volunteer/job/cbor-tags.ts";
import { ABSENT, isSingle } from "./text.ts";

export interface Layout {
  readonly kind: "single" | "column" | "rows" | "records";
  readonly columns: readonly string[];
  readonly rows: number;
}

type Row = readonly unknown[] | TypedArray;

/** The same as `MAX_COLUMNS` there. */
const MAX_COLUMNS = 16_384;
/** The same as `MAX_SPREAD` there. */
const MAX_SPREAD = 2;
const ONLY = ["value"];

export function isTyped(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function isRow(value: unknown): value is Row {
  return Array.isArray(value) || isTyped(value);
}

export function layoutOf(value: unknown): Layout | undefined {
  if (isSingle(value)) return { kind: "single", columns: ONLY, rows: 1 };
  if (isTyped(value)) return { kind: "column", columns: ONLY, rows: value.length };
  if (!Array.isArray(value)) return undefined;
  const [first] = value as readonly unknown[];
  if (isRow(first)) return rowsOf(value, first.length);
  if (value.length > 0 && !isSingle(first)) return recordsOf(value);
  return value.every(isSingle) ? { kind: "column", columns: ONLY, rows: value.length } : undefined;
}

function rowsOf(value: readonly unknown[], width: number): Layout | undefined {
  if (width > MAX_COLUMNS) return undefined;
  const isEven = (row: unknown): boolean => isRow(row) && row.length === width && (isTyped(row) || row.every(isSingle));
  if (!value.every(isEven)) return undefined;
  return { kind: "rows", columns: Array.from({ length: width }, (_, column) => String(column)), rows: value.length };
}

function recordsOf(value: readonly unknown[]): Layout | undefined {
  const names = new Set<string>();
  let entries = 0;
  for (const record of value) {
    if (isSingle(record) || isRow(record)) return undefined;
    for (const [name, cell] of Object.entries(record as object)) {
      if (!isSingle(cell)) return undefined;
      names.add(name);
      entries += 1;
    }
    if (names.size > MAX_COLUMNS) return undefined;
  }
  if (names.size === 0 || value.length * names.size > entries * MAX_SPREAD) return undefined;
  return { kind: "records", columns: [...names], rows: value.length };
}

/** The cell of a value that has this layout. */
export function cellAt(value: unknown, layout: Layout, row: number, column: number): unknown {
  switch (layout.kind) {
    case "single":
      return value;
    case "column":
      return (value as Row)[row];
    case "rows":
      return (value as readonly Row[])[row]?.[column];
    case "records": {
      const record = (value as readonly Record<string, unknown>[])[row];
      const name = layout.columns[column];
      return record !== undefined && name !== undefined && Object.hasOwn(record, name) ? record[name] : ABSENT;
    }
  }
}
