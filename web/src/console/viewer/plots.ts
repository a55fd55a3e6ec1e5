/** Numbers as plots: a line, a histogram, points; each with its axes. Pure. */

import type { Mark, Sheet } from "./drawing.ts";
import { extremesOf } from "./extremes.ts";
import type { Histogram } from "./histogram.ts";
import { VIEWER } from "../words/viewer.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Span {
  readonly min: number;
  readonly max: number;
}

/** Where a number is on the sheet. */
interface Axes {
  readonly x: (number: number) => number;
  readonly y: (number: number) => number;
  readonly marks: readonly Mark[];
  readonly inner: Size;
}

/** Room for the words of the axes. */
const LEFT = 64;
const BOTTOM = 40;
const TOP = 22;
const RIGHT = 14;
/** Between two words of an axis at least. */
const EVERY_PIXELS = 90;
const DIGITS = 4;

export function linePlot(numbers: ArrayLike<number>, size: Size): Sheet {
  const { low, high } = extremesOf(numbers, size.width - LEFT - RIGHT);
  const y = spanOf([...low, ...high]);
  const axes = axesFor({ min: 0, max: Math.max(1, numbers.length - 1) }, y, size, [VIEWER.axes.index, ""]);
  const [points, alone]: [number[], number[]] = [[], []];
  low.forEach((lowest, column) => {
    const at = axes.x(low.length === 1 ? 0.5 : (column / (low.length - 1)) * Math.max(1, numbers.length - 1));
    const highest = high[column] as number;
    points.push(at, axes.y(lowest));
    if (highest !== lowest) points.push(at, axes.y(highest));
    // One point makes no line.
    const isAlone = !Number.isFinite(low[column - 1]) && !Number.isFinite(low[column + 1]);
    if (isAlone && Number.isFinite(lowest)) alone.push(at, axes.y(lowest));
  });
  return { ...size, marks: [...axes.marks, { kind: "dots", points: alone, tone: "accent" }, { kind: "line", points, tone: "accent" }] };
}

export function histogramPlot({ from, width, counts }: Histogram, size: Size): Sheet {
  const x = widened({ min: from, max: from + width * counts.length });
  const axes = axesFor(x, { min: 0, max: Math.max(...counts) }, size, [VIEWER.axes.value, VIEWER.axes.count]);
  const boxes = counts.flatMap((count, bin) => {
    const [left, top] = [axes.x(width > 0 ? from + width * bin : x.min), axes.y(count)];
    const right = axes.x(width > 0 ? from + width * (bin + 1) : x.max);
    return [left, top, Math.max(0.5, right - left - 1), axes.y(0) - top];
  });
  return { ...size, marks: [...axes.marks, { kind: "bars", boxes, tone: "accent" }] };
}

/** Points that fall onto one pixel are one. */
export function scatterPlot(xs: ArrayLike<number>, ys: ArrayLike<number>, names: readonly [string, string], size: Size): Sheet {
  const isThere = (at: number): boolean => Number.isFinite(xs[at]) && Number.isFinite(ys[at]);
  const axes = axesFor(spanOf(xs, isThere), spanOf(ys, isThere), size, names);
  const seen = new Set<number>();
  const points: number[] = [];
  for (let at = 0; at < xs.length; at++) {
    if (!isThere(at)) continue;
    const [x, y] = [axes.x(xs[at] as number), axes.y(ys[at] as number)];
    const pixel = Math.round(y) * size.width + Math.round(x);
    if (seen.has(pixel)) continue;
    seen.add(pixel);
    points.push(x, y);
  }
  return { ...size, marks: [...axes.marks, { kind: "dots", points, tone: "accent" }] };
}

function spanOf(numbers: ArrayLike<number>, isThere = (at: number): boolean => Number.isFinite(numbers[at])): Span {
  let [min, max] = [Infinity, -Infinity];
  for (let at = 0; at < numbers.length; at++) {
    if (!isThere(at)) continue;
    min = Math.min(min, numbers[at] as number);
    max = Math.max(max, numbers[at] as number);
  }
  return min > max ? { min: 0, max: 1 } : widened({ min, max });
}

/** A span without a width is given one. */
function widened({ min, max }: Span): Span {
  if (min < max) return { min, max };
  const room = Math.abs(min) / 2 || 0.5;
  return { min: min - room, max: max + room };
}

function axesFor(x: Span, y: Span, size: Size, [xName, yName]: readonly [string, string]): Axes {
  const inner = { width: size.width - LEFT - RIGHT, height: size.height - TOP - BOTTOM };
  const bottom = TOP + inner.height;
  // Halves: the span of the largest numbers is beyond them.
  const share = (number: number, { min, max }: Span): number => (number / 2 - min / 2) / (max / 2 - min / 2);
  const toX = (number: number): number => LEFT + share(number, x) * inner.width;
  const toY = (number: number): number => bottom - share(number, y) * inner.height;
  const marks: Mark[] = [];
  for (const tick of ticks(y, Math.max(2, Math.floor(inner.height / (EVERY_PIXELS / 2))))) {
    marks.push({ kind: "line", points: [LEFT, toY(tick), LEFT + inner.width, toY(tick)], tone: "line" });
    marks.push({ kind: "text", x: LEFT - 6, y: toY(tick) + 4, text: tickText(tick), align: "end" });
  }
  for (const tick of ticks(x, Math.max(2, Math.floor(inner.width / EVERY_PIXELS)))) {
    marks.push({ kind: "line", points: [toX(tick), bottom, toX(tick), bottom + 4], tone: "muted" });
    marks.push({ kind: "text", x: toX(tick), y: bottom + 17, text: tickText(tick), align: "middle" });
  }
  marks.push({ kind: "line", points: [LEFT, bottom, LEFT + inner.width, bottom], tone: "muted" });
  marks.push({ kind: "text", x: LEFT + inner.width, y: bottom + 33, text: xName, align: "end" });
  if (yName !== "") marks.push({ kind: "text", x: LEFT, y: TOP - 9, text: yName, align: "start" });
  return { x: toX, y: toY, marks, inner };
}

/** About so many round numbers inside of a span: 1, 2 or 5 times a power of ten apart. */
export function ticks({ min, max }: Span, about: number): number[] {
  const bare = max / about - min / about;
  const power = 10 ** Math.floor(Math.log10(bare));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((round) => round >= bare) ?? bare;
  if (!(step > 0) || !Number.isFinite(step)) return [];
  const first = Math.ceil(min / step);
  const last = Math.floor(max / step);
  // There is no room between two numbers.
  if (first * step + step === first * step || last - first > 10 * about) return [];
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

function tickText(tick: number): string {
  return String(Number(tick.toPrecision(DIGITS)));
}
