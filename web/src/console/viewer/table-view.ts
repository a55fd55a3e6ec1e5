/**
 * A table of any length: rows are made for what can be seen. Sorted by its columns, with what stands in each. Hot: takes data, asks
 * nobody.
 */

import { make, setText } from "../../dom.ts";
import { type Order, orderIn, orderWords } from "./choices.ts";
import { type ColumnSummary, summaryText } from "./columns.ts";
import { type Layout, cellAt } from "./layout.ts";
import { orderOf } from "./order.ts";
import { cellText } from "./text.ts";
import type { Choices, View } from "./view.ts";
import { VIEWER } from "../words/viewer.ts";

const ROW_PIXELS = 28;
/** Rows that are seen at once. */
const SEEN = 14;
/** Browsers know no element much higher. */
const MAX_PIXELS = 8_000_000;
const MAX_COLUMNS = 50;
/** How wide the numbers of rows are, and the other columns at least. */
const NUMBER_REM = 5;
const COLUMN_REM = 8;

export class TableView implements View {
  readonly element: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly body = make("div", { class: "table-body", role: "rowgroup" });
  private readonly value: unknown;
  private readonly layout: Layout;
  private readonly shownColumns: number;
  private first = 0;
  private sortedBy: Order | undefined;
  private order: Uint32Array | undefined;
  private readonly heads: HTMLElement[] = [];
  private readonly choices: Choices;

  constructor(value: unknown, layout: Layout, columns: readonly ColumnSummary[], choices: Choices) {
    this.value = value;
    this.layout = layout;
    this.choices = choices;
    this.shownColumns = Math.min(MAX_COLUMNS, layout.columns.length);
    const name = VIEWER.table(layout.rows);
    const counts = { "aria-rowcount": String(layout.rows + 1), "aria-colcount": String(layout.columns.length + 1) };
    this.scroller = make("div", { class: "table-view", role: "table", tabindex: "0", "aria-label": name, ...counts });
    this.scroller.append(make("div", { class: "table-head", role: "rowgroup" }, this.makeHead(columns)), this.body);
    // Each row is a grid of its own, so that all of them have to be told how wide they are.
    this.scroller.style.setProperty("--row-width", `${NUMBER_REM + this.shownColumns * COLUMN_REM}rem`);
    this.body.style.height = `${Math.min(MAX_PIXELS, layout.rows * ROW_PIXELS)}px`;
    this.scroller.addEventListener("scroll", () => this.scrolled());
    this.scroller.addEventListener("keydown", (event) => this.pressed(event));
    this.element = make("div", {}, this.scroller);
    if (this.shownColumns < layout.columns.length) {
      this.element.append(make("p", { class: "muted" }, VIEWER.columns(this.shownColumns, layout.columns.length)));
    }
    this.sort(orderIn(choices.words, this.shownColumns));
  }

  private makeHead(columns: readonly ColumnSummary[]): HTMLElement {
    const row = this.makeRow(1, make("span", { role: "columnheader", class: "row-number" }, VIEWER.row));
    for (const [column, summary] of columns.slice(0, this.shownColumns).entries()) {
      const button = make("button", { type: "button", class: "sort" }, summary.name);
      button.title = VIEWER.sortBy(summary.name);
      button.addEventListener("click", () => this.sortBy(column));
      const head = make("span", { role: "columnheader", "aria-sort": "none" }, button);
      head.append(make("small", { class: "muted" }, summaryText(summary)));
      this.heads.push(head);
      row.append(head);
    }
    return row;
  }

  private makeRow(index: number, ...cells: readonly HTMLElement[]): HTMLElement {
    const row = make("div", { role: "row", "aria-rowindex": String(index) }, ...cells);
    row.style.gridTemplateColumns = `${NUMBER_REM}rem repeat(${this.shownColumns}, minmax(${COLUMN_REM}rem, 1fr))`;
    return row;
  }

  /** Up, down, and as it was. */
  private sortBy(column: number): void {
    const before = this.sortedBy?.column === column ? this.sortedBy.direction : undefined;
    const direction = before === undefined ? "ascending" : before === "ascending" ? "descending" : undefined;
    this.sort(direction && { column, direction });
    this.choices.onChoice(orderWords(this.sortedBy));
  }

  private sort(by: Order | undefined): void {
    this.sortedBy = by;
    this.order = by && orderOf(this.layout.rows, (row) => cellAt(this.value, this.layout, row, by.column), by.direction);
    for (const [at, head] of this.heads.entries()) head.setAttribute("aria-sort", at === by?.column ? by.direction : "none");
    this.paint();
  }

  private get last(): number {
    return Math.max(0, this.layout.rows - SEEN);
  }

  private get isTooHigh(): boolean {
    return this.layout.rows * ROW_PIXELS > MAX_PIXELS;
  }

  /** Where it has to be scrolled to for this row to be the first. */
  private placeOf(first: number): number {
    return this.isTooHigh ? (first / this.last) * (MAX_PIXELS - SEEN * ROW_PIXELS) : first * ROW_PIXELS;
  }

  private scrolled(): void {
    const { scrollTop } = this.scroller;
    // Where a pixel is several rows, keys are more exact than the place is.
    if (Math.abs(scrollTop - this.placeOf(this.first)) <= 1) return this.paint();
    const share = this.isTooHigh ? (scrollTop / (MAX_PIXELS - SEEN * ROW_PIXELS)) * this.last : scrollTop / ROW_PIXELS;
    this.first = Math.max(0, Math.min(this.last, Math.floor(share)));
    this.paint();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.target !== this.scroller || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: this.first + 1,
      ArrowUp: this.first - 1,
      PageDown: this.first + SEEN - 1,
      PageUp: this.first - SEEN + 1,
      Home: 0,
      End: this.last,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.first = Math.max(0, Math.min(this.last, to));
    this.scroller.scrollTop = this.placeOf(this.first);
    this.paint();
  }

  private paint(): void {
    const [from, to] = [this.first, Math.min(this.layout.rows, this.first + SEEN + 1)];
    while (this.body.children.length < to - from) this.body.append(this.makeEmptyRow());
    while (this.body.children.length > to - from) this.body.lastElementChild?.remove();
    for (const [at, row] of [...this.body.children].entries())
      this.fill(row as HTMLElement, from + at, this.placeOf(from) + at * ROW_PIXELS);
  }

  private makeEmptyRow(): HTMLElement {
    const cells = Array.from({ length: this.shownColumns }, () => make("span", { role: "cell" }));
    return this.makeRow(0, make("span", { role: "cell", class: "row-number" }), ...cells);
  }

  private fill(element: HTMLElement, place: number, top: number): void {
    const row = this.order?.[place] ?? place;
    element.setAttribute("aria-rowindex", String(place + 2));
    element.style.transform = `translateY(${top}px)`;
    for (const [at, cell] of [...element.children].entries()) {
      const found = at === 0 ? row : cellAt(this.value, this.layout, row, at - 1);
      setText(cell, at === 0 ? String(row) : cellText(found));
      (cell as HTMLElement).dataset["kind"] = typeof found;
    }
  }
}
