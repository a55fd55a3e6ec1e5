/** Draws the picture of the work into a canvas, in the colours of the page. Decides nothing about what it shows. */

import { paintsAt } from "../../paints.ts";
import { type Grid, gridOf } from "./grid.ts";
import type { CellView, Ended, WorkView } from "./work.ts";

const TRACE_HEIGHT = 26;
const TRACE_GAP = 12;
const CORNER = 6;
/** What is left of the oldest second's colour. */
const OLDEST = 0.18;
/** A second of the trace with anything in it is at least so high. */
const LEAST_BAR = 3;
const TOKENS = ["--sunken", "--accent", "--accent-soft", "--line", "--muted", "--bad"] as const;

type Paints = Readonly<Record<(typeof TOKENS)[number], string>>;
type Canvas = CanvasRenderingContext2D;

/** Sizes the canvas to its width on the page and to what it has to show. */
export function drawWork(canvas: HTMLCanvasElement, view: WorkView): void {
  const width = canvas.clientWidth;
  const context = canvas.getContext("2d");
  if (context === null || width === 0 || view.cells.length === 0) return;
  const grid = gridOf(view.cells.length, width);
  const height = grid.height + (view.trace.length > 0 ? TRACE_GAP + TRACE_HEIGHT : 0);
  fit(canvas, context, width, height);
  const paints: Paints = paintsAt(canvas, TOKENS);
  view.cells.forEach((cell, at) => drawCell(context, cell, at, grid, paints));
  drawTrace(context, view.trace, width, height, paints);
}

function fit(canvas: HTMLCanvasElement, context: Canvas, width: number, height: number): void {
  const [across, down] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  if (canvas.width !== across || canvas.height !== down) {
    [canvas.width, canvas.height] = [across, down];
    canvas.style.height = `${height}px`;
  }
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, width, height);
}

function drawCell(context: Canvas, cell: CellView, at: number, { columns, side, gap }: Grid, paints: Paints): void {
  const left = (at % columns) * (side + gap);
  const top = Math.floor(at / columns) * (side + gap);
  const box = new Path2D();
  // The line around it is one pixel wide, and all of it inside.
  box.roundRect(left + 0.5, top + 0.5, side - 1, side - 1, Math.min(CORNER, side / 4));
  context.save();
  context.clip(box);
  context.fillStyle = paints["--sunken"];
  context.fillRect(left, top, side, side);
  if (cell.activity === "working") fillWorking(context, cell, left, top, side, paints);
  context.globalAlpha = cell.settled;
  context.fillStyle = paints["--accent"];
  context.fillRect(left, top, side, side);
  context.restore();
  context.strokeStyle = cell.activity === "working" ? paints["--accent"] : paints["--line"];
  if (cell.activity === "resting") context.strokeStyle = paints["--muted"];
  context.lineWidth = 1;
  context.stroke(box);
  if (cell.activity === "resting") drawBars(context, left, top, side, paints["--muted"]);
}

/** Up to its progress; a job that tells none is half a tone all over. */
function fillWorking(context: Canvas, { fill }: CellView, left: number, top: number, side: number, paints: Paints): void {
  context.fillStyle = paints["--accent-soft"];
  context.fillRect(left, top, side, side);
  if (fill === undefined) return;
  context.fillStyle = paints["--accent"];
  context.fillRect(left, top + side * (1 - fill), side, side * fill);
}

/** The two bars of a pause. */
function drawBars(context: Canvas, left: number, top: number, side: number, paint: string): void {
  const [thick, high] = [Math.max(1, side * 0.1), side * 0.36];
  context.fillStyle = paint;
  for (const from of [0.36, 0.54]) context.fillRect(left + side * from, top + (side - high) / 2, thick, high);
}

function drawTrace(context: Canvas, trace: readonly Ended[], width: number, height: number, paints: Paints): void {
  if (trace.length === 0) return;
  const most = Math.max(1, ...trace.map(({ done, failed }) => done + failed));
  const step = width / trace.length;
  const across = Math.max(1, step - 2);
  const heightOf = (count: number): number => LEAST_BAR + (TRACE_HEIGHT - LEAST_BAR) * Math.sqrt(count / most);
  context.fillStyle = paints["--line"];
  context.fillRect(0, height - 1, width, 1);
  const bars = trace.map(({ done, failed }, at) => ({ done, failed, at })).filter(({ done, failed }) => done + failed > 0);
  // A colour is set once, since each time it is read as a text.
  context.fillStyle = paints["--accent"];
  for (const { done, failed, at } of bars) {
    const high = heightOf(done + failed);
    context.globalAlpha = OLDEST + (1 - OLDEST) * ((at + 1) / trace.length);
    context.fillRect(at * step, height - high, across, high);
  }
  context.globalAlpha = 1;
  context.fillStyle = paints["--bad"];
  for (const { done, failed, at } of bars) {
    const bad = (heightOf(done + failed) * failed) / (done + failed);
    if (failed > 0) context.fillRect(at * step, height - bad, across, bad);
  }
}
