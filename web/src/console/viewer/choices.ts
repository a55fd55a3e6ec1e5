/**
 * What can be chosen of the look of a value, in short words: people have copied addresses with them, so a word keeps its meaning. Words
 * that say nothing here mean the usual choice, for which there is no word. Pure.
 */

import type { Scale } from "./grid.ts";
import type { Direction } from "./order.ts";
import type { Face } from "./shape.ts";

/** Said first: the way to look at it. */
export function faceIn([named]: readonly string[], faces: readonly [Face, ...Face[]]): Face {
  return faces.find((face) => face === named) ?? faces[0];
}

/** `own`: the words that its view has for what is chosen there. */
export function faceWords(face: Face, own: readonly string[], faces: readonly [Face, ...Face[]]): readonly string[] {
  return face === faces[0] && own.length === 0 ? [] : [face, ...own];
}

const LOG = "log";

export function scaleIn(words: readonly string[]): Scale {
  return words.includes(LOG) ? "log" : "linear";
}

export function scaleWords(scale: Scale): readonly string[] {
  return scale === "log" ? [LOG] : [];
}

export interface Order {
  readonly column: number;
  readonly direction: Direction;
}

/** The place of a column, behind a minus where the last come first. */
const ORDER = /^(-?)(\d{1,5})$/;

export function orderIn([word = ""]: readonly string[], columns: number): Order | undefined {
  const [, sign, digits] = ORDER.exec(word) ?? [];
  const column = Number(digits);
  return column < columns ? { column, direction: sign === "" ? "ascending" : "descending" } : undefined;
}

export function orderWords(order: Order | undefined): readonly string[] {
  return order === undefined ? [] : [`${order.direction === "ascending" ? "" : "-"}${order.column}`];
}

/** The places of the columns across and up; `columns`: those that can be, the usual two first. */
export function axesIn([x, y]: readonly string[], columns: readonly number[]): readonly [number, number] {
  const find = (word: string | undefined, usual: number): number => columns.find((column) => String(column) === word) ?? usual;
  return [find(x, columns[0] ?? 0), find(y, columns[1] ?? 0)];
}

export function axesWords([x, y]: readonly [number, number], columns: readonly number[]): readonly string[] {
  return x === columns[0] && y === columns[1] ? [] : [String(x), String(y)];
}

const BINS = "bins";

/** Whether the bins of a histogram are shown as a table. */
export function binsIn(words: readonly string[]): boolean {
  return words.includes(BINS);
}

export function binsWords(open: boolean): readonly string[] {
  return open ? [BINS] : [];
}
