/**
 * The one place that knows uPlot: lines over time on a canvas, with a cursor that moves in step with those of all other plots of the page.
 *
 * Loaded with the first chart. Sizes and colours come in; nothing is asked of anybody.
 */

import uPlot from "uplot";
import type { ChartData } from "./data.ts";
import { roundTop } from "./data.ts";

/** Colours that a canvas takes. */
export interface Paints {
  readonly muted: string;
  readonly line: string;
  readonly ground: string;
  readonly area: string;
  /** One for each line of the chart. */
  readonly lines: readonly string[];
}

export interface PlotSpec {
  readonly height: number;
  readonly names: readonly string[];
  /** A value beside the axis. */
  readonly tick: (value: number) => string;
  /** A moment below it. */
  readonly moment: (at: number) => string;
  /** Hears which sample the cursor is at; `undefined`: at none. */
  readonly onCursor: (index: number | undefined) => void;
}

/** All plots of the page have their cursors at the same moment. */
const CURSOR = "console";
const WIDTH = 1.5;
/** Dashes of the second line and those behind it: nobody has to tell lines by their colour. */
const DASHES = [[], [5, 3], [2, 3]];
/** CSS pixels of the axes. */
const LEFT = 52;
const BELOW = 24;
const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Marks of an axis are so many pixels apart at least. */
const APART_X = 72;
const APART_Y = 28;

export class Plot {
  private readonly spec: PlotSpec;
  private paints: Paints;
  private readonly plot: uPlot;
  private span: readonly [number, number] = [0, 1];

  constructor(place: HTMLElement, spec: PlotSpec, paints: Paints) {
    [this.spec, this.paints] = [spec, paints];
    this.plot = new uPlot(this.options(place.clientWidth), undefined, place);
  }

  show({ at, values, from, to }: ChartData): void {
    this.span = [from, to];
    this.plot.setData([[...at], ...values.map((column) => [...column])]);
  }

  fit(width: number): void {
    if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: this.spec.height });
  }

  paint(paints: Paints): void {
    this.paints = paints;
    this.plot.redraw(false);
  }

  close(): void {
    this.plot.destroy();
  }

  private options(width: number): uPlot.Options {
    const { height, names } = this.spec;
    return {
      width: Math.max(1, width),
      height,
      ms: 1,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, sync: { key: CURSOR, scales: ["x", null] }, points: { size: 7 } },
      scales: { x: { range: () => [...this.span] }, y: { range: (_, __, most) => [0, roundTop(most)] } },
      axes: [this.axis("x"), this.axis("y")],
      series: [{}, ...names.map((label, index) => this.line(label, index))],
      padding: [8, 12, 0, 0],
      hooks: { setCursor: [({ cursor: { idx } }) => this.spec.onCursor(idx ?? undefined)] },
    };
  }

  private axis(scale: "x" | "y"): uPlot.Axis {
    const ink = (): string => this.paints.muted;
    const grid = { stroke: () => this.paints.line, width: 1 };
    const isTime = scale === "x";
    const words = isTime ? this.spec.moment : this.spec.tick;
    return {
      scale,
      stroke: ink,
      font: FONT,
      size: isTime ? BELOW : LEFT,
      gap: 4,
      space: isTime ? APART_X : APART_Y,
      grid: isTime ? { show: false } : grid,
      ticks: isTime ? { ...grid, size: 4 } : { show: false },
      values: (_, splits) => splits.map((split) => words(split)),
    };
  }

  private line(label: string, index: number): uPlot.Series {
    const line: uPlot.Series = {
      label,
      width: WIDTH,
      stroke: () => this.paints.lines[index] ?? this.paints.muted,
      dash: DASHES[index] ?? [],
      points: { size: 4, width: 0, fill: () => this.paints.lines[index] ?? this.paints.muted },
    };
    return index === 0 ? { ...line, fill: () => this.paints.area } : line;
  }
}
