/** Values that are pictures, and their pixels. Pure: numbers in, bytes of red, green, blue and opacity out. */

import type { TypedArray } from "../../volunteer/job/cbor-tags.ts";
import { cividis } from "./cividis.ts";
import { type Layout, isTyped } from "./layout.ts";

export interface Grid {
  readonly width: number;
  readonly height: number;
  /** Row by row. */
  readonly numbers: ArrayLike<number>;
  /** The numbers are bytes of colours already, four to a pixel. */
  readonly isColour: boolean;
}

export type Scale = "linear" | "log";

const STEPS = 256;
/** Pixels of a side that every browser can paint. */
const MAX_SIDE = 16_384;

export function isPaintable(width: unknown, height: unknown): boolean {
  const isSide = (side: unknown): boolean => Number.isInteger(side) && (side as number) > 0 && (side as number) <= MAX_SIDE;
  return isSide(width) && isSide(height);
}

/** Every BigInt as the nearest number. */
export function plainNumbers(data: TypedArray): ArrayLike<number> {
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) return Float64Array.from(data, Number);
  return data;
}

/** `{data, width, height}`, with a number for each pixel or the four bytes of its colour. */
export function pictureOf(value: unknown): Grid | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { data, width, height } = value as { data?: unknown; width?: unknown; height?: unknown };
  if (typeof width !== "number" || typeof height !== "number" || !isPaintable(width, height)) return undefined;
  const numbers = isTyped(data) ? plainNumbers(data) : listOf(data);
  if (numbers === undefined) return undefined;
  const isColour = data instanceof Uint8ClampedArray && data.length === 4 * width * height;
  if (!isColour && numbers.length !== width * height) return undefined;
  return { width, height, numbers, isColour };
}

function listOf(data: unknown): readonly number[] | undefined {
  return Array.isArray(data) && data.every((item) => typeof item === "number") ? data : undefined;
}

/** Rows of numbers, all of one length, as `layoutOf` has found them. */
export function rowsGrid(value: unknown, { columns, rows }: Layout): Grid {
  const numbers = new Float64Array(columns.length * rows);
  (value as readonly (readonly number[] | TypedArray)[]).forEach((row, at) => {
    numbers.set(isTyped(row) ? plainNumbers(row) : row, at * columns.length);
  });
  return { width: columns.length, height: rows, numbers, isColour: false };
}

/** The lowest and the highest number that the scale can show. */
export function range(numbers: ArrayLike<number>, scale: Scale): { min: number; max: number } {
  let [min, max] = [Infinity, -Infinity];
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    if (!isShown(number, scale)) continue;
    if (number < min) min = number;
    if (number > max) max = number;
  }
  return { min, max };
}

function isShown(number: number, scale: Scale): boolean {
  return Number.isFinite(number) && (scale === "linear" || number > 0);
}

/** Four bytes for each pixel; one that the scale cannot show is left transparent. */
export function pixelsOf(grid: Grid, scale: Scale): Uint8ClampedArray<ArrayBuffer> {
  if (grid.isColour) return Uint8ClampedArray.from(grid.numbers);
  const { numbers } = grid;
  const place = scale === "log" ? Math.log10 : (number: number): number => number;
  const { min, max } = range(numbers, scale);
  const [from, span] = [place(min), place(max) - place(min)];
  const colours = Array.from({ length: STEPS }, (_, step) => cividis(step / (STEPS - 1)));
  const pixels = new Uint8ClampedArray(4 * numbers.length);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    if (!isShown(number, scale)) continue;
    const share = span > 0 ? (place(number) - from) / span : 0.5;
    pixels.set(colours[Math.round(share * (STEPS - 1))] ?? [], 4 * at);
    pixels[4 * at + 3] = 255;
  }
  return pixels;
}
