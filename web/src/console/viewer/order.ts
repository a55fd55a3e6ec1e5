/** Rows of a table in the order of one of its columns. Pure. */

import { ABSENT } from "./text.ts";

export type Direction = "ascending" | "descending";

/** Places of values in order: numbers, then texts, then the rest, then NaN and what is absent; equal ones stay as they are. */
export function orderOf(rows: number, cell: (row: number) => unknown, direction: Direction): Uint32Array {
  const order = Uint32Array.from({ length: rows }, (_, row) => row);
  const values = Array.from({ length: rows }, (_, row) => cell(row));
  const sign = direction === "ascending" ? 1 : -1;
  return order.sort((a, b) => {
    const [one, other] = [values[a], values[b]];
    const ranks = rank(one) - rank(other);
    // What is nothing stays behind, whichever way the others go.
    if (ranks !== 0) return rank(one) === LAST || rank(other) === LAST ? ranks : sign * ranks;
    return sign * compare(one, other) || a - b;
  });
}

const LAST = 3;

function rank(value: unknown): number {
  if (value === ABSENT || Number.isNaN(value)) return LAST;
  if (typeof value === "number" || typeof value === "bigint") return 0;
  return typeof value === "string" ? 1 : 2;
}

function compare(one: unknown, other: unknown): number {
  if (Object.is(one, other) || rank(one) === LAST) return 0;
  if (rank(one) === 2) return String(one) < String(other) ? -1 : 1;
  // -0 stands before 0.
  if (one === other) return Object.is(one, -0) ? -1 : 1;
  return (one as number) < (other as number) ? -1 : 1;
}
