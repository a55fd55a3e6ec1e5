/** Paints a graph on a canvas, where there is too much of it to be elements. The table of the same facts is for who does not see it. */

import { make } from "../../dom.ts";
import type { Shape } from "../words/states.ts";
import { inksAt } from "./inks.ts";
import { DASHES, type Frame, type Paints, type Painter, type Pen, type Rectangle, type Words, thickness } from "./pen.ts";
import { SHAPES } from "./shapes.ts";

/** Edges are thousands at most: more have been forgotten by whoever looks. */
const MAX_PATHS = 20_000;
/** The side of the square that shapes are written for. */
const SQUARE = 24;
const FONT = "system-ui, sans-serif";

export class CanvasPainter implements Painter {
  readonly element: HTMLCanvasElement;
  private readonly paths = new Map<string, Path2D>();

  constructor(label: string) {
    this.element = make("canvas", { class: "graph-canvas", tabindex: "0", role: "application", "aria-label": label });
  }

  paint(frame: Frame): void {
    const ratio = window.devicePixelRatio;
    this.element.width = Math.round(frame.width * ratio);
    this.element.height = Math.round(frame.height * ratio);
    this.element.style.width = `${frame.width}px`;
    this.element.style.height = `${frame.height}px`;
    const context = this.element.getContext("2d");
    if (context === null) return;
    const paints = inksAt(this.element);
    context.scale(ratio, ratio);
    context.translate(frame.x, frame.y);
    context.scale(frame.zoom, frame.zoom);
    for (const line of frame.lines) {
      const { path, lit, mark } = line;
      context.strokeStyle = paints[lit ? "accent" : (mark ?? "edge")];
      context.lineWidth = thickness(line) / frame.zoom;
      context.globalAlpha = lit || mark !== undefined ? 1 : frame.strength;
      context.setLineDash(mark === "removed" ? DASHES.map((length) => length / frame.zoom) : []);
      context.stroke(this.pathOf(path));
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
    const pen = new CanvasPen(context, paints, frame.zoom);
    for (const { draw } of frame.figures) draw(pen);
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
  }

  /** Edges are thousands, and stay the same for as long as the picture. */
  private pathOf(path: string): Path2D {
    let made = this.paths.get(path);
    if (this.paths.size > MAX_PATHS) this.paths.clear();
    if (made === undefined) this.paths.set(path, (made = new Path2D(path)));
    return made;
  }
}

const shapePaths = new Map<string, Path2D>();

class CanvasPen implements Pen {
  private readonly context: CanvasRenderingContext2D;
  private readonly paints: Paints;
  private readonly zoom: number;

  constructor(context: CanvasRenderingContext2D, paints: Paints, zoom: number) {
    [this.context, this.paints, this.zoom] = [context, paints, zoom];
  }

  box({ x, y, width, height, round = 0, fill, stroke, thick = 1 }: Rectangle): void {
    const { context } = this;
    context.beginPath();
    context.roundRect(x, y, width, height, round);
    if (fill !== undefined) {
      context.globalAlpha = fill.strength ?? 1;
      context.fillStyle = this.paints[fill.ink];
      context.fill();
      context.globalAlpha = 1;
    }
    if (stroke === undefined) return;
    context.strokeStyle = this.paints[stroke];
    context.lineWidth = thick / this.zoom;
    context.stroke();
  }

  shape(shape: Shape, x: number, y: number, side: number): void {
    const { context } = this;
    context.save();
    context.translate(x, y);
    context.scale(side / SQUARE, side / SQUARE);
    [context.strokeStyle, context.fillStyle] = [this.paints[shape], this.paints[shape]];
    context.lineJoin = "round";
    for (const { path, width = 2, fill = 0, dashes = [], flat = false } of SHAPES[shape]) {
      const made = shapePath(path);
      context.globalAlpha = fill;
      if (fill > 0) context.fill(made);
      context.globalAlpha = 1;
      context.lineCap = flat ? "butt" : "round";
      context.lineWidth = width;
      context.setLineDash([...dashes]);
      context.stroke(made);
    }
    context.restore();
  }

  text({ text, x, y, width, size, bold = false, ink, middle = false }: Words): void {
    const { context } = this;
    context.font = `${bold ? "550 " : ""}${size}px ${FONT}`;
    context.fillStyle = this.paints[ink];
    context.textAlign = middle ? "center" : "left";
    context.fillText(cut(context, text, width), x, y);
  }
}

/** As much of it as there is room for. */
function cut(context: CanvasRenderingContext2D, text: string, width: number): string {
  const long = context.measureText(text).width;
  if (long <= width) return text;
  return `${text.slice(0, Math.max(1, Math.floor((text.length * width) / long) - 1))}…`;
}

function shapePath(path: string): Path2D {
  let made = shapePaths.get(path);
  if (made === undefined) shapePaths.set(path, (made = new Path2D(path)));
  return made;
}
