/**
 * A chart over time: what it shows, its unit and its range above it, the lines, and the same facts as a table that somebody may open.
 * Where nothing is known it says why, and what to do.
 *
 * Hot: takes data, asks nobody. What draws the lines is loaded with the first chart.
 */

import "./charts.css";
import { make, setText } from "../../dom.ts";
import { paintsAt } from "../../paints.ts";
import { onTheme } from "../parts/theme.ts";
import { clock } from "../words/format.ts";
import { CHARTS } from "../words/charts.ts";
import { type ChartData, headline, isEmpty, summaryOf } from "./data.ts";
import type { Paints, Plot } from "./plot.ts";
import { fillTable } from "./table.ts";

/** A colour of theme.css. */
export type Ink = "--running" | "--finished" | "--queued" | "--failed" | "--held" | "--accent" | "--ink";

export interface ChartSpec {
  readonly id: string;
  readonly title: string;
  /** In muted ink behind numbers; empty where the number says it. */
  readonly unit: string;
  /** With one line its name is the title. */
  readonly lines: readonly { readonly name: string; readonly ink: Ink }[];
  readonly format: (value: number) => string;
  /** CSS pixels. */
  readonly height: number;
}

/** Why there is nothing to see, and what to do about it. */
export type Nothing = readonly [why: string, cure: string];

/** What draws the lines, and comes once one is drawn. */
export const loadPlot = () => import("./plot.ts");

const GROUNDS = ["--muted", "--line", "--panel", "--sunken"] as const;
/** In shorter spans seconds tell moments apart, in longer ones days do. */
const SECONDS_MS = 5 * 60 * 1000;
const DAYS_MS = 24 * 60 * 60 * 1000;

export class Chart {
  readonly element: HTMLElement;
  private readonly spec: ChartSpec;
  private readonly now = make("p", { class: "chart-now" });
  private readonly range = make("p", { class: "muted chart-range" });
  private readonly drawn = make("div", { class: "chart-plot", role: "img" });
  private readonly none = make("p", { class: "muted chart-none" });
  private readonly note = make("p", { class: "muted chart-note" });
  private readonly table = make("table");
  /** Has the same facts as a table. */
  readonly details: HTMLDetailsElement;
  private plot: Plot | undefined;
  private data: ChartData | undefined;
  private cursor: number | undefined;
  private isClosed = false;
  private isLoading = false;
  private readonly size = new ResizeObserver(() => this.plot?.fit(this.drawn.clientWidth));
  private ignoreTheme: (() => void) | undefined;

  constructor(spec: ChartSpec) {
    this.spec = spec;
    const head = make("h3", { id: `${spec.id}-title` }, spec.title, ...this.makeKeys());
    const scroller = make(
      "div",
      { class: "chart-rows", tabindex: "0", role: "region", "aria-label": CHARTS.tableOf(spec.title) },
      this.table,
    );
    // Whatever has `data-table` opens and closes by the key `t`.
    this.details = make("details", { class: "chart-table", "data-table": "" }, make("summary", {}, CHARTS.asTable), scroller);
    this.details.addEventListener("toggle", () => this.tell());
    const parts = [make("div", { class: "chart-head" }, head, this.now, this.range), this.drawn, this.none, this.note, this.details];
    this.element = make("section", { class: "chart", id: spec.id, "aria-labelledby": `${spec.id}-title` }, ...parts);
    this.drawn.style.minHeight = `${spec.height}px`;
  }

  /** It stands in the page, and has a size. */
  shown(): void {
    this.size.observe(this.drawn);
    this.ignoreTheme = onTheme(() => this.plot?.paint(this.paints()));
  }

  close(): void {
    this.isClosed = true;
    this.size.disconnect();
    this.ignoreTheme?.();
    this.plot?.close();
    this.plot = undefined;
  }

  /** `nothing`: what to say where `data` has nothing. `note`: what else belongs to it. */
  show(data: ChartData, nothing: Nothing, note: string): void {
    this.data = data;
    const empty = isEmpty(data);
    [this.drawn.hidden, this.details.hidden, this.range.hidden, this.none.hidden] = [empty, empty, empty, !empty];
    setText(this.none, nothing.join(" "));
    setText(this.note, note);
    this.tell();
    if (empty) return;
    if (this.plot === undefined) void this.load();
    else this.plot.show(data);
  }

  private async load(): Promise<void> {
    if (this.isLoading) return;
    this.isLoading = true;
    // Where the server is away, the next figures are another try; until then they stand there in words.
    const loaded = await loadPlot().catch(() => undefined);
    this.isLoading = false;
    if (loaded === undefined || this.isClosed || this.data === undefined) return;
    const { height, lines } = this.spec;
    const spec = {
      height,
      names: lines.map(({ name }) => name),
      tick: this.spec.format,
      moment: (at: number) => clock(at, this.reference(), this.span() < SECONDS_MS),
      onCursor: (index: number | undefined) => this.point(index),
    };
    this.plot = new loaded.Plot(this.drawn, spec, this.paints());
    this.plot.show(this.data);
  }

  private span(): number {
    return this.data === undefined ? 0 : this.data.to - this.data.from;
  }

  /** The day that needs no name beside a time; 1970 where the span has several days. */
  private reference(): number {
    return this.span() >= DAYS_MS ? 0 : (this.data?.to ?? 0);
  }

  private point(index: number | undefined): void {
    if (index === this.cursor) return;
    this.cursor = index;
    this.tellNow();
  }

  /** All that is told in words. */
  private tell(): void {
    const { data, spec } = this;
    if (data === undefined) return;
    const known = summaryOf(data.values.flat());
    const span = CHARTS.between(clock(data.from, data.to), clock(data.to, this.reference()));
    setText(
      this.range,
      known === undefined ? span : CHARTS.over(CHARTS.range(spec.format(known.least), spec.format(known.most), spec.unit), span),
    );
    this.tellNow();
    this.drawn.setAttribute("aria-label", CHARTS.told(spec.title, this.now.textContent, this.range.textContent));
    if (this.details.open) fillTable(this.table, data, spec);
  }

  /** The figures below the cursor, or those that stand for all. */
  private tellNow(): void {
    const { data, spec, cursor } = this;
    if (data === undefined) return;
    const figures = data.values.map((column) => {
      const value = cursor === undefined ? headline(column, data.isOver) : column[cursor];
      return value === undefined || value === null ? CHARTS.unknown : spec.format(value);
    });
    const unit = make("span", { class: "muted" }, spec.unit === "" ? "" : `\u2009${spec.unit}`);
    const when = this.moment(data);
    this.now.replaceChildren(
      figures.join(" · "),
      unit,
      ...(when === "" ? [] : [make("span", { class: "muted chart-moment" }, ` ${when}`)]),
    );
  }

  /** What the figures are of; empty where they are the newest. */
  private moment(data: ChartData): string {
    const pointed = this.cursor === undefined ? undefined : data.at[this.cursor];
    if (pointed !== undefined) return CHARTS.at(clock(pointed, this.reference(), true));
    return data.isOver === true && !isEmpty(data) ? CHARTS.onAverage : "";
  }

  private makeKeys(): HTMLElement[] {
    const { lines } = this.spec;
    if (lines.length === 1) return [];
    return lines.map(({ name, ink }) => {
      const key = make("span", { class: "chart-key" }, name);
      key.style.setProperty("--key", `var(${ink})`);
      return key;
    });
  }

  private paints(): Paints {
    const inks = this.spec.lines.map(({ ink }) => ink);
    const found = paintsAt(this.element, [...GROUNDS, ...inks]);
    const { "--muted": muted, "--line": line, "--panel": ground, "--sunken": area } = found;
    return { muted, line, ground, area, lines: inks.map((ink) => found[ink]) };
  }
}
