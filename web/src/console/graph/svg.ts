/** Paints a graph as SVG: each figure can have the focus, and all of it can be printed. Elements that look the same are kept. */

import type { Shape } from "../words/states.ts";
import { DASHES, type Figure, type Frame, type Line, type Painter, type Pen, type Rectangle, type Words, thickness } from "./pen.ts";
import { SHAPES } from "./shapes.ts";

const SVG = "http://www.w3.org/2000/svg";
/** The side of the square that shapes are written for. */
const SQUARE = 24;

interface Shown {
  readonly element: SVGElement;
  look: string;
}

export class SvgPainter implements Painter {
  readonly element = makeSvg("svg", { class: "graph-svg" });
  private readonly world = makeSvg("g");
  private readonly edges = makeSvg("g", { class: "graph-edges", "aria-hidden": "true" });
  private readonly figures = makeSvg("g");
  private readonly shown = new Map<string, Shown>();
  private readonly lines = new Map<number, Shown>();

  constructor(label: string) {
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", label);
    this.world.append(this.edges, this.figures);
    this.element.append(this.world);
  }

  paint(frame: Frame): void {
    const [width, height] = [String(frame.width), String(frame.height)];
    put(this.element, { width, height, viewBox: `0 0 ${width} ${height}` });
    put(this.world, { transform: `translate(${frame.x} ${frame.y}) scale(${frame.zoom})` });
    put(this.edges, { "data-strength": String(frame.strength) });
    keep(this.lines, this.edges, frame.lines, (line) => line.key, lookOfLine, makeLine);
    keep(
      this.shown,
      this.figures,
      frame.figures,
      (figure) => figure.key,
      (figure) => figure.look,
      fillFigure,
    );
    const stop = frame.figures.some(({ key }) => key === frame.at) ? frame.at : frame.figures[0]?.key;
    for (const [key, { element }] of this.shown) put(element, { tabindex: key === stop ? "0" : "-1" });
  }

  focus(): void {
    this.figures.querySelector<SVGElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }
}

/** Brings the elements of a group in line with what is to be seen. Those that stay are not moved, so that none loses the focus. */
function keep<T, K>(
  shown: Map<K, Shown>,
  place: SVGElement,
  all: readonly T[],
  keyOf: (one: T) => K,
  lookOf: (one: T) => string,
  fill: (one: T, element: SVGElement | undefined) => SVGElement,
): void {
  const wanted = new Set(all.map(keyOf));
  for (const [key, { element }] of shown) {
    if (wanted.has(key)) continue;
    element.remove();
    shown.delete(key);
  }
  for (const one of all) {
    const [key, look] = [keyOf(one), lookOf(one)];
    const before = shown.get(key);
    if (before?.look === look) continue;
    const element = fill(one, before?.element);
    if (before === undefined) place.append(element);
    shown.set(key, { element, look });
  }
}

function lookOfLine({ path, lit, count, mark }: Line): string {
  return `${lit} ${mark ?? ""} ${count} ${path}`;
}

function makeLine(line: Line, before: SVGElement | undefined): SVGElement {
  const { path, lit, mark } = line;
  const element = before ?? makeSvg("path", { "vector-effect": "non-scaling-stroke", fill: "none" });
  const stroke = lit ? "var(--accent)" : `var(--${mark ?? "edge"})`;
  element.toggleAttribute("data-lit", lit);
  put(element, { d: path, stroke, "stroke-width": String(thickness(line)) });
  // The same element may have been another edge before, in another part of the graph.
  for (const name of ["data-mark", "stroke-dasharray"]) element.removeAttribute(name);
  if (mark !== undefined) put(element, { "data-mark": mark });
  if (mark === "removed") put(element, { "stroke-dasharray": DASHES.join(" ") });
  return element;
}

function fillFigure({ key, label, draw }: Figure, before: SVGElement | undefined): SVGElement {
  const element = before ?? makeSvg("g", { class: "graph-figure", role: "button", "data-key": key, tabindex: "-1" });
  element.setAttribute("aria-label", label);
  const pen = new SvgPen();
  draw(pen);
  element.replaceChildren(...pen.made);
  return element;
}

class SvgPen implements Pen {
  readonly made: SVGElement[] = [];

  box({ x, y, width, height, round = 0, fill, stroke, thick = 1 }: Rectangle): void {
    const place = { x: short(x), y: short(y), width: short(width), height: short(height), rx: String(round) };
    const inside = fill === undefined ? { fill: "none" } : { fill: `var(--${fill.ink})`, "fill-opacity": String(fill.strength ?? 1) };
    const line = stroke === undefined ? {} : { stroke: `var(--${stroke})`, "stroke-width": String(thick) };
    this.made.push(makeSvg("rect", { ...place, ...inside, ...line, "vector-effect": "non-scaling-stroke" }));
  }

  shape(shape: Shape, x: number, y: number, side: number): void {
    const place = makeSvg("g", { transform: `translate(${short(x)} ${short(y)}) scale(${side / SQUARE})` });
    const ink = `var(--${shape})`;
    const inner = makeSvg("g", { class: `graph-${shape}`, stroke: ink, fill: "none", "stroke-linejoin": "round" });
    for (const { path, width = 2, fill = 0, dashes, flat = false } of SHAPES[shape]) {
      const filled = fill > 0 ? { fill: ink, "fill-opacity": String(fill) } : {};
      const broken = dashes === undefined ? {} : { "stroke-dasharray": dashes.join(" ") };
      const ends = { "stroke-linecap": flat ? "butt" : "round", "stroke-width": String(width) };
      inner.append(makeSvg("path", { d: path, ...filled, ...broken, ...ends }));
    }
    place.append(inner);
    this.made.push(place);
  }

  /** In a picture of its own, which cuts off what is too long. */
  text({ text, x, y, width, size, bold = false, ink, middle = false }: Words): void {
    const left = middle ? x - width / 2 : x;
    const cut = makeSvg("svg", { x: short(left), y: short(y - size), width: short(width), height: short(size * 1.5) });
    const anchor = middle ? { x: short(width / 2), "text-anchor": "middle" } : { x: "0" };
    const weight = bold ? { "font-weight": "550" } : {};
    const words = makeSvg("text", { ...anchor, y: String(size), "font-size": String(size), fill: `var(--${ink})`, ...weight });
    words.textContent = text;
    cut.append(words);
    this.made.push(cut);
  }
}

/** What is written again as it was would be laid out again. */
function put(element: SVGElement, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

function makeSvg(tag: string, attributes: Readonly<Record<string, string>> = {}): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function short(number: number): string {
  return String(Math.round(number * 10) / 10);
}
