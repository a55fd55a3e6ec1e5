/**
 * A table of any length, of which only the rows that can be seen are elements. Hot: takes data, asks nobody, knows no framework; it tells
 * when somebody is close to the end of what is there. The row that has the focus stays an element wherever the others are.
 */

import { make } from "../../dom.ts";
import { hearEdge, linkOf, makeStop } from "./rove.ts";

export interface WindowColumn<T> {
  readonly id: string;
  readonly head: string;
  /** Fills a cell, which may have shown another row before. */
  readonly fill: (cell: HTMLElement, row: T) => void;
}

interface Shown<T> {
  readonly id: string;
  readonly label: string;
  readonly columns: readonly WindowColumn<T>[];
  /** A name by which the row is found. */
  readonly mark: (row: T) => string;
  readonly nearEnd: () => void;
}

/** Rows beyond the edges, so that none is missing while it is scrolled. */
const SPARE = 10;
/** Browsers know no element much higher. */
const MAX_PIXELS = 8_000_000;

interface Line {
  readonly element: HTMLElement;
  readonly cells: readonly HTMLElement[];
}

export class WindowTable<T> {
  readonly element: HTMLElement;
  private readonly shown: Shown<T>;
  private readonly scroller: HTMLElement;
  private readonly body = make("div", { class: "window-rows", role: "rowgroup" });
  /** By the place of the row that each shows. */
  private readonly lines = new Map<number, Line>();
  private readonly spare: Line[] = [];
  private readonly sizes: ResizeObserver;
  private rows: readonly T[] = [];
  /** Pixels of a row, as styles have it. */
  private high = 0;
  private readonly stop = makeStop(() => [...this.body.children] as HTMLElement[]);

  constructor(shown: Shown<T>) {
    this.shown = shown;
    const heads = shown.columns.map(({ id, head }) => make("span", { class: id, role: "columnheader" }, head));
    const head = make("div", { role: "rowgroup" }, make("div", { class: "row heads", role: "row", "aria-rowindex": "1" }, ...heads));
    const { id, label } = shown;
    this.scroller = make("div", { class: "window-scroller", id, role: "table", tabindex: "0", "aria-label": label });
    // The head stays in sight, and is as wide as what it is above of.
    this.scroller.append(head, this.body);
    this.element = make("div", { class: "table window" }, this.scroller);
    this.scroller.addEventListener("scroll", () => this.paint());
    this.scroller.addEventListener("focusin", this.stop.hear);
    hearEdge(this.scroller, (last) => this.focus(last ? this.rows.length - 1 : 0));
    this.sizes = new ResizeObserver(() => this.measure());
    this.sizes.observe(this.scroller);
  }

  close(): void {
    this.sizes.disconnect();
  }

  /** `all`: how many there are, here or not. */
  show(rows: readonly T[], all: number): void {
    this.rows = rows;
    this.scroller.setAttribute("aria-rowcount", String(all + 1));
    for (const [place, line] of this.lines) this.fill(line, place);
    this.measure();
  }

  private focus(place: number): void {
    this.scroller.scrollTop = place * this.high;
    this.paint();
    const line = this.lines.get(place);
    if (line !== undefined) linkOf(line.element)?.focus();
  }

  private measure(): void {
    if (this.lines.size === 0 && this.rows.length > 0) this.draw(0, null);
    const [line] = this.lines.values();
    this.high = line?.element.getBoundingClientRect().height ?? 0;
    this.body.style.height = `${Math.min(MAX_PIXELS, this.rows.length * this.high)}px`;
    for (const [place, { element }] of this.lines) this.put(element, place);
    this.paint();
  }

  private paint(): void {
    if (this.high === 0) return;
    const { scrollTop, clientHeight } = this.scroller;
    const first = Math.max(0, Math.floor(scrollTop / this.high) - SPARE);
    const last = Math.min(this.rows.length, Math.ceil((scrollTop + clientHeight) / this.high) + SPARE);
    this.drop((place) => place < first || place >= last);
    let next = this.behind(last);
    for (let place = last - 1; place >= first; place -= 1) next = (this.lines.get(place) ?? this.draw(place, next)).element;
    this.stop.set();
    if (last + SPARE >= this.rows.length) this.shown.nearEnd();
  }

  /** One stays for the focus, and one so that there is something to measure. */
  private drop(isAway: (place: number) => boolean): void {
    for (const [place, line] of this.lines) {
      const isHeld = line.element.contains(document.activeElement) && place < this.rows.length;
      if (!isAway(place) || isHeld) continue;
      this.lines.delete(place);
      this.spare.push(line);
      line.element.remove();
    }
  }

  /** What stands behind all rows before this place. */
  private behind(place: number): HTMLElement | null {
    for (const [at, { element }] of this.lines) if (at >= place) return element;
    return null;
  }

  private draw(place: number, before: HTMLElement | null): Line {
    const line = this.spare.pop() ?? this.makeLine();
    this.lines.set(place, line);
    this.fill(line, place);
    this.put(line.element, place);
    this.body.insertBefore(line.element, before);
    return line;
  }

  private makeLine(): Line {
    const cells = this.shown.columns.map(({ id }, at) => make("span", { class: id, role: at === 0 ? "rowheader" : "cell" }));
    return { element: make("div", { class: "row", role: "row" }, ...cells), cells };
  }

  private put(element: HTMLElement, place: number): void {
    element.style.transform = `translateY(${place * this.high}px)`;
  }

  private fill({ element, cells }: Line, place: number): void {
    const row = this.rows[place];
    if (row === undefined) return;
    element.setAttribute("aria-rowindex", String(place + 2));
    const mark = this.shown.mark(row);
    [element.dataset["node"], element.dataset["row"]] = [mark, mark];
    for (const [at, { fill }] of this.shown.columns.entries()) {
      const cell = cells[at];
      if (cell !== undefined) fill(cell, row);
    }
  }
}
