/**
 * A plot on a canvas of its own, as wide as its place; saved larger than it is shown. Hot: takes data, asks nobody.
 *
 * What it shows stands beside it as text, for those who do not see it.
 */

import { make } from "../../dom.ts";
import { onTheme } from "../parts/theme.ts";
import { type Sheet, svgOf } from "./drawing.ts";
import { coloursOf, paint, pngOf } from "./paint.ts";
import type { Size } from "./plots.ts";
import type { View } from "./view.ts";

/** A plot that is saved. */
const SAVED: Size = { width: 1280, height: 640 };
/** CSS pixels on the page. */
const HEIGHT = 320;
const MIN_WIDTH = 200;

export class PlotView implements View {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly title: string;
  private readonly draw: (size: Size) => Sheet;
  private readonly watch = new ResizeObserver(() => this.repaint());
  private unlisten: (() => void) | undefined;

  /** `facts`: the same in words or as a table. */
  constructor(title: string, draw: (size: Size) => Sheet, ...facts: readonly HTMLElement[]) {
    this.title = title;
    this.draw = draw;
    this.canvas = make("canvas", { class: "plot", role: "img", "aria-label": title });
    this.element = make("div", { class: "plot-view" }, this.canvas, ...facts);
  }

  shown(): void {
    this.watch.observe(this.element);
    this.unlisten ??= onTheme(this.repaint);
    this.repaint();
  }

  close(): void {
    this.watch.disconnect();
    this.unlisten?.();
    this.unlisten = undefined;
  }

  png(): Promise<Blob> {
    const canvas = make("canvas");
    paint(canvas, this.draw(SAVED), coloursOf(this.element), 1);
    return pngOf(canvas);
  }

  svg(): Blob {
    return new Blob([svgOf(this.draw(SAVED), this.title, coloursOf(this.element))], { type: "image/svg+xml" });
  }

  private readonly repaint = (): void => {
    // Whoever has taken it away may not have said so.
    if (!this.element.isConnected) return this.close();
    const width = Math.max(MIN_WIDTH, this.element.clientWidth);
    this.canvas.style.height = `${HEIGHT}px`;
    paint(this.canvas, this.draw({ width, height: HEIGHT }), coloursOf(this.element), devicePixelRatio);
  };
}
