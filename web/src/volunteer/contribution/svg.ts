/** The heat strip as an SVG: squares that CSS gives their shade, made once and changed in place. Hidden from screen readers, for
 * which the table has the same facts. */

import type { Cell, Month } from "./strip.ts";
import { WEEKS } from "./strip.ts";

const NAMESPACE = "http://www.w3.org/2000/svg";
/** In the strip's own units, as the style sheet's are. */
const STEP = 12;
const SIDE = 10;
const HEAD = 13;
const HEIGHT = HEAD + 7 * STEP;

export interface StripTexts {
  readonly cells: readonly { readonly cell: Cell; readonly text: string }[];
  readonly months: readonly { readonly month: Month; readonly text: string }[];
}

interface Square {
  readonly text: string;
  readonly level: number;
  readonly element: SVGElement;
}

export class StripPicture {
  readonly element = svg("svg", { class: "strip", viewBox: `0 0 ${WEEKS * STEP - (STEP - SIDE)} ${HEIGHT}`, "aria-hidden": "true" });

  /** Squares in the order of their days; a day's may change, the others stay untouched. */
  private squares: Square[] = [];

  show({ cells, months }: StripTexts): void {
    // Another week or another language.
    const isAnother = cells.length !== this.squares.length || cells[0]?.text !== this.squares[0]?.text;
    if (isAnother) this.replace(cells, months);
    else cells.forEach(({ cell, text }, at) => this.renew(at, cell, text));
  }

  private renew(at: number, cell: Cell, text: string): void {
    const known = this.squares[at];
    if (known === undefined || (known.text === text && known.level === cell.level)) return;
    const fresh = square(cell, text);
    known.element.replaceWith(fresh.element);
    this.squares[at] = fresh;
  }

  private replace(cells: StripTexts["cells"], months: StripTexts["months"]): void {
    this.squares = cells.map(({ cell, text }) => square(cell, text));
    const names = months.map(({ month, text }) => {
      const name = svg("text", { x: String(month.column * STEP), y: "8" });
      name.textContent = text;
      return name;
    });
    this.element.replaceChildren(...names, ...this.squares.map(({ element }) => element));
  }
}

function square({ column, row, level }: Cell, text: string): Square {
  const title = svg("title", {});
  title.textContent = text;
  const [x, y] = [String(column * STEP), String(HEAD + row * STEP)];
  const rect = svg("rect", { x, y, width: String(SIDE), height: String(SIDE), rx: "2", "data-level": String(level) });
  rect.append(title);
  return { text, level, element: rect };
}

function svg<K extends keyof SVGElementTagNameMap>(name: K, attributes: Readonly<Record<string, string>>): SVGElementTagNameMap[K] {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  return element;
}
