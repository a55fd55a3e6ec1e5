/** Two columns of a table as points, whichever two are chosen. Hot: takes data, asks nobody. */

import { make } from "../../dom.ts";
import { axesIn, axesWords } from "./choices.ts";
import type { ColumnSummary } from "./columns.ts";
import { type Layout, cellAt } from "./layout.ts";
import { PlotView } from "./plot-view.ts";
import { scatterPlot } from "./plots.ts";
import type { Choices, View } from "./view.ts";
import { VIEWER } from "../words/viewer.ts";

export class ScatterView implements View {
  readonly element = make("div");
  readonly tools: readonly HTMLElement[];
  private readonly value: unknown;
  private readonly layout: Layout;
  private readonly across: HTMLSelectElement;
  private readonly up: HTMLSelectElement;
  private plot: PlotView;

  constructor(value: unknown, layout: Layout, columns: readonly ColumnSummary[], choices: Choices) {
    this.value = value;
    this.layout = layout;
    const numeric = [...columns.entries()].filter(([, { numbers }]) => numbers > 0);
    const places = numeric.map(([place]) => place);
    // Where there are two there is nothing to choose.
    const isChoice = numeric.length > 2;
    const [x, y] = axesIn(isChoice ? choices.words : [], places);
    this.across = makeChoice(VIEWER.xAxis, numeric, x);
    this.up = makeChoice(VIEWER.yAxis, numeric, y);
    this.tools = isChoice ? [this.across, this.up] : [];
    this.plot = this.makePlot();
    this.element.append(this.plot.element);
    const changed = (): void => {
      this.choose();
      choices.onChoice(axesWords(this.chosen, places));
    };
    for (const choice of [this.across, this.up]) choice.addEventListener("change", changed);
  }

  shown(): void {
    this.plot.shown();
  }

  close(): void {
    this.plot.close();
  }

  png(): Promise<Blob> {
    return this.plot.png();
  }

  svg(): Blob {
    return this.plot.svg();
  }

  private choose(): void {
    this.plot.close();
    this.plot = this.makePlot();
    this.element.replaceChildren(this.plot.element);
    this.plot.shown();
  }

  /** The places of the columns across and up. */
  private get chosen(): readonly [number, number] {
    return [Number(this.across.value), Number(this.up.value)];
  }

  private makePlot(): PlotView {
    const [x, y] = this.chosen;
    const names = [this.layout.columns[x] ?? "", this.layout.columns[y] ?? ""] as const;
    const [xs, ys] = [this.numbersOf(x), this.numbersOf(y)];
    return new PlotView(VIEWER.scatter(names[0], names[1]), (size) => scatterPlot(xs, ys, names, size));
  }

  private numbersOf(column: number): Float64Array {
    return Float64Array.from({ length: this.layout.rows }, (_, row) => {
      const cell = cellAt(this.value, this.layout, row, column);
      return typeof cell === "number" || typeof cell === "bigint" ? Number(cell) : NaN;
    });
  }
}

function makeChoice(label: string, columns: readonly (readonly [number, ColumnSummary])[], chosen: number): HTMLSelectElement {
  const select = make("select", { class: "field", "aria-label": label });
  for (const [place, { name }] of columns) select.append(make("option", { value: String(place) }, name));
  select.value = String(chosen);
  return select;
}
