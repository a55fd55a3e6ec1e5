/**
 * A timeline on a canvas: above, what was computed and how many slots were busy; below, rows of bars under one axis.
 *
 * Only draws, in the colours that it is given; where something stands, `hitAt` says as well.
 */

import type { ProfileView } from "../../api/types.gen.ts";
import type { Bar, Row } from "./rows.ts";
import { type Span, ticks, widthOf } from "./span.ts";

/** CSS pixels. */
export const STRIP = 72;
const AXIS = 22;
const GAP = 8;
const HIGHEST_ROW = 18;
const LOWEST_ROW = 6;
/** Rows share so much of the page, unless they would be lower than the lowest. */
const ROWS_HEIGHT = 540;
const LEAST_BAR = 2;
const LABELLED_ROW = 12;
const TICK_WIDTH = 90;
const FONT = 11;
const NARROW = 500;

export const TOKENS = [
  "--ink",
  "--muted",
  "--line",
  "--panel",
  "--accent",
  "--running",
  "--finished",
  "--failed",
  "--cancelled",
  "--held",
] as const;
export type Paints = Readonly<Record<(typeof TOKENS)[number], string>>;

/** What was computed over time. */
export type Computed = Pick<ProfileView, "from" | "widthMs" | "mflops" | "busy">;

export interface Scene {
  readonly rows: readonly Row[];
  readonly profile: Computed | undefined;
  readonly span: Span;
  /** What moments are told from. */
  readonly begin: number;
  readonly selected: Bar | undefined;
  /** A moment that a line goes through. */
  readonly cursor: number | undefined;
  readonly words: {
    readonly mflops: string;
    readonly busy: string;
    readonly moment: (ms: number) => string;
    readonly figure: (number: number) => string;
  };
}

export interface Plan {
  readonly width: number;
  readonly height: number;
  /** Where the time begins, behind the labels. */
  readonly left: number;
  readonly top: number;
  readonly row: number;
}

export function planOf(rows: number, width: number): Plan {
  const row = Math.min(HIGHEST_ROW, Math.max(LOWEST_ROW, Math.floor(ROWS_HEIGHT / Math.max(1, rows))));
  const top = STRIP + GAP + AXIS;
  return { width, height: top + Math.max(1, rows) * row + GAP, left: width < NARROW ? 56 : 132, top, row };
}

export function xOf({ left, width }: Plan, span: Span, at: number): number {
  return left + ((at - span.from) / Math.max(1, widthOf(span))) * (width - left);
}

export function momentAt({ left, width }: Plan, span: Span, x: number): number {
  return span.from + ((x - left) / Math.max(1, width - left)) * widthOf(span);
}

/** The bar at a place of the picture; the last one where several lie over each other. */
export function hitAt(plan: Plan, { rows, span }: Pick<Scene, "rows" | "span">, x: number, y: number): Bar | undefined {
  const row = rows[Math.floor((y - plan.top) / plan.row)];
  if (row === undefined || x < plan.left) return undefined;
  return row.bars.findLast((bar) => {
    const [from, to] = edges(plan, span, bar);
    return x >= from - 1 && x <= to + 1;
  });
}

function edges(plan: Plan, span: Span, { from, to }: Bar): readonly [number, number] {
  const begin = xOf(plan, span, from);
  return [begin, Math.max(xOf(plan, span, to), begin + LEAST_BAR)];
}

/** The colour of a state is its token's. */
export function toneOf(end: string | null): (typeof TOKENS)[number] {
  switch (end) {
    case null:
      return "--running";
    case "completed":
      return "--finished";
    case "error":
    case "expired":
      return "--failed";
    case "cancelled":
      return "--cancelled";
    default:
      return "--held";
  }
}

export function draw(context: CanvasRenderingContext2D, plan: Plan, scene: Scene, paints: Paints): void {
  context.fillStyle = paints["--panel"];
  context.fillRect(0, 0, plan.width, plan.height);
  context.font = `${FONT}px sans-serif`;
  context.textBaseline = "middle";
  drawAxis(context, plan, scene, paints);
  labels(context, plan, scene, paints);
  context.save();
  context.beginPath();
  context.rect(plan.left, 0, plan.width - plan.left, plan.height);
  context.clip();
  drawStrip(context, plan, scene, paints);
  scene.rows.forEach((row, at) => drawRow(context, plan, scene, paints, row, plan.top + at * plan.row));
  drawCursor(context, plan, scene, paints);
  context.restore();
}

function drawAxis(context: CanvasRenderingContext2D, plan: Plan, { span, begin, words }: Scene, paints: Paints): void {
  context.textAlign = "center";
  for (const at of ticks(span, begin, Math.max(2, Math.floor((plan.width - plan.left) / TICK_WIDTH)))) {
    const x = Math.round(xOf(plan, span, at)) + 0.5;
    context.fillStyle = paints["--line"];
    context.fillRect(x, 0, 1, plan.height);
    context.fillStyle = paints["--muted"];
    context.fillText(words.moment(at - begin), Math.min(Math.max(x, plan.left + 16), plan.width - 18), STRIP + GAP + AXIS / 2);
  }
}

function labels(context: CanvasRenderingContext2D, plan: Plan, { rows, profile, words }: Scene, paints: Paints): void {
  const put = (text: string, y: number, colour: string): void => {
    context.fillStyle = colour;
    context.fillText(text, 4, y, plan.left - 8);
  };
  context.textAlign = "start";
  if (profile !== undefined) {
    put(`${words.mflops} ${words.figure(Math.max(...profile.mflops, 0))}`, 14, paints["--accent"]);
    put(`${words.busy} ${words.figure(Math.max(...profile.busy, 0))}`, 32, paints["--running"]);
  }
  if (plan.row < LABELLED_ROW) return;
  rows.forEach((row, at) => put(short(row.label), plan.top + (at + 0.5) * plan.row, paints["--muted"]));
}

/** The end of an id, or of a path, tells it from others. */
function short(label: string): string {
  return label.length <= 20 ? label : `…${label.slice(-19)}`;
}

function drawStrip(context: CanvasRenderingContext2D, plan: Plan, { profile, span }: Scene, paints: Paints): void {
  if (profile === undefined) return;
  const { from, widthMs } = profile;
  const columns = [
    [profile.mflops, paints["--accent"]],
    [profile.busy, paints["--running"]],
  ] as const;
  for (const [values, colour] of columns) {
    const most = Math.max(...values, 0);
    if (most === 0) continue;
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.beginPath();
    values.forEach((value, at) => {
      const y = STRIP - (value / most) * (STRIP - 6);
      context.lineTo(xOf(plan, span, from + at * widthMs), y);
      context.lineTo(xOf(plan, span, from + (at + 1) * widthMs), y);
    });
    context.stroke();
  }
}

function drawRow(context: CanvasRenderingContext2D, plan: Plan, scene: Scene, paints: Paints, { bars, busy }: Row, top: number): void {
  const { span, selected } = scene;
  const inset = plan.row >= LABELLED_ROW ? 2 : 0.5;
  for (const bar of bars) {
    if (bar.to < span.from || bar.from > span.to) continue;
    const [from, to] = edges(plan, span, bar);
    context.fillStyle = paints[toneOf(bar.attempt.end)];
    context.fillRect(from, top + inset, Math.max(LEAST_BAR, to - from - 0.5), plan.row - 2 * inset);
    if (bar !== selected) continue;
    context.strokeStyle = paints["--ink"];
    context.lineWidth = 2;
    context.strokeRect(from - 1, top + inset - 1, to - from + 2, plan.row - 2 * inset + 2);
  }
  busy?.shares.forEach((share, at) => {
    if (share === 0) return;
    const from = xOf(plan, span, busy.from + at * busy.widthMs);
    const to = xOf(plan, span, busy.from + (at + 1) * busy.widthMs);
    const height = share * (plan.row - 2 * inset);
    context.fillStyle = paints["--running"];
    context.fillRect(from, top + plan.row - inset - height, to - from, height);
  });
}

function drawCursor(context: CanvasRenderingContext2D, plan: Plan, { cursor, span }: Scene, paints: Paints): void {
  if (cursor === undefined) return;
  context.fillStyle = paints["--muted"];
  context.fillRect(Math.round(xOf(plan, span, cursor)), 0, 1, plan.height);
}
