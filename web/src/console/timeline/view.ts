/**
 * The timeline as an element: a canvas that can be zoomed, moved and walked with keys, wheel and pointer. Hot: takes data, asks nobody,
 * and tells what was chosen.
 *
 * Never knows addresses, pages or the network.
 */

import "./timeline.css";
import { make } from "../../dom.ts";
import { paintsAt } from "../../paints.ts";
import { onTheme } from "../parts/theme.ts";
import { type Computed, type Plan, type Scene, TOKENS, draw, hitAt, momentAt, planOf } from "./picture.ts";
import { type Bar, type Row, neighbour } from "./rows.ts";
import { type Span, equal, moved, showing, zoomed } from "./span.ts";

export interface TimelineData {
  readonly rows: readonly Row[];
  readonly profile: Computed | undefined;
  readonly span: Span;
  readonly whole: Span;
}

export interface TimelineEvents {
  readonly onOpen: (bar: Bar) => void;
  readonly onSpan: (span: Span) => void;
  /** A bar that is meant, by keys or the pointer, and a moment under the pointer. */
  readonly onMeant: (bar: Bar | undefined, moment: number | undefined, byKey: boolean) => void;
}

const MIN_WIDTH = 240;
/** So much less time is shown after one step of zooming in. */
const ZOOM = 0.5;
/** Pixels of a wheel that make one step. */
const WHEEL = 240;
const STEP = 0.25;
/** A press that has moved so far is no click. */
const DRAGGED = 4;

export class Timeline {
  readonly element: HTMLElement;
  private readonly words: Scene["words"];
  private readonly events: TimelineEvents;
  private readonly canvas: HTMLCanvasElement;
  private data: TimelineData | undefined;
  private plan: Plan = planOf(0, MIN_WIDTH);
  private selected: Bar | undefined;
  private cursor: number | undefined;
  private asked = 0;
  private drag: { readonly x: number; readonly span: Span; moved: boolean } | undefined;
  private readonly watch = new ResizeObserver(() => this.repaint());
  private readonly ignoreTheme: () => void;

  constructor(label: string, words: Scene["words"], events: TimelineEvents) {
    this.words = words;
    this.events = events;
    this.canvas = make("canvas", { class: "timeline", tabindex: "0", role: "application", "aria-label": label });
    this.element = make("div", { class: "timeline-view" }, this.canvas);
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.canvas.addEventListener("pointerleave", () => this.point(undefined, undefined));
    this.watch.observe(this.element);
    this.ignoreTheme = onTheme(this.repaint);
  }

  show(data: TimelineData): void {
    this.data = data;
    const held = this.selected?.attempt;
    this.selected =
      held && data.rows.flatMap(({ bars }) => bars).find(({ attempt }) => attempt.job === held.job && attempt.number === held.number);
    this.repaint();
  }

  /** One step in or out, around what is selected or the middle. */
  zoom(inwards: boolean): void {
    if (this.data === undefined) return;
    const { span } = this.data;
    const { from, to } = this.selected ?? span;
    const at = Math.min(Math.max((from + to) / 2, span.from), span.to);
    this.look(zoomed(span, at, inwards ? ZOOM : 1 / ZOOM, this.data.whole));
  }

  close(): void {
    cancelAnimationFrame(this.asked);
    this.watch.disconnect();
    this.ignoreTheme();
  }

  private look(span: Span): void {
    if (this.data === undefined || equal(span, this.data.span)) return;
    this.data = { ...this.data, span };
    this.repaint();
    this.events.onSpan(span);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.data === undefined) return;
    if (this.obey(event.key, event.shiftKey, this.data)) event.preventDefault();
  }

  private obey(key: string, shift: boolean, { span, whole }: TimelineData): boolean {
    switch (key) {
      case "+":
      case "=":
        this.zoom(true);
        return true;
      case "-":
        this.zoom(false);
        return true;
      case "0":
        this.look(whole);
        return true;
      case "ArrowLeft":
      case "ArrowRight":
        if (shift) this.look(moved(span, key === "ArrowLeft" ? -STEP : STEP, whole));
        else this.select(key === "ArrowLeft" ? "left" : "right");
        return true;
      case "ArrowUp":
      case "ArrowDown":
        this.select(key === "ArrowUp" ? "up" : "down");
        return true;
      case "Enter":
        if (this.selected !== undefined) this.events.onOpen(this.selected);
        return this.selected !== undefined;
      default:
        return false;
    }
  }

  private select(way: "left" | "right" | "up" | "down"): void {
    if (this.data === undefined) return;
    const next = neighbour(this.data.rows, this.selected, way);
    if (next === undefined) return;
    this.selected = next;
    this.cursor = next.from;
    this.look(showing(this.data.span, next, this.data.whole));
    this.repaint();
    this.events.onMeant(next, next.from, true);
  }

  private wheel(event: WheelEvent): void {
    if (this.data === undefined || event.ctrlKey) return;
    event.preventDefault();
    const { span, whole } = this.data;
    const aside = event.shiftKey ? event.deltaY : event.deltaX;
    if (aside !== 0) return this.look(moved(span, aside / this.plan.width, whole));
    this.look(zoomed(span, momentAt(this.plan, span, event.offsetX), ZOOM ** (-event.deltaY / WHEEL), whole));
  }

  private press(event: PointerEvent): void {
    if (this.data === undefined || event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = { x: event.offsetX, span: this.data.span, moved: false };
  }

  private move(event: PointerEvent): void {
    if (this.data === undefined) return;
    const { drag, plan, data } = this;
    if (drag === undefined) return this.point(hitAt(plan, data, event.offsetX, event.offsetY), momentAt(plan, data.span, event.offsetX));
    const by = drag.x - event.offsetX;
    drag.moved ||= Math.abs(by) >= DRAGGED;
    if (drag.moved) this.look(moved(drag.span, by / Math.max(1, plan.width - plan.left), data.whole));
  }

  private release(event: PointerEvent): void {
    const { drag, data } = this;
    this.drag = undefined;
    if (drag === undefined || drag.moved || data === undefined) return;
    const bar = hitAt(this.plan, data, event.offsetX, event.offsetY);
    if (bar !== undefined) this.events.onOpen(bar);
  }

  private point(bar: Bar | undefined, moment: number | undefined): void {
    this.canvas.classList.toggle("over", bar !== undefined);
    this.cursor = moment;
    this.repaint();
    this.events.onMeant(bar, moment, false);
  }

  /** Once for all that has changed since the last frame. */
  private readonly repaint = (): void => {
    cancelAnimationFrame(this.asked);
    this.asked = requestAnimationFrame(() => this.paint());
  };

  private paint(): void {
    if (this.data === undefined || !this.element.isConnected) return;
    const { canvas, data } = this;
    const plan = planOf(data.rows.length, Math.max(MIN_WIDTH, this.element.clientWidth));
    const ratio = devicePixelRatio;
    this.plan = plan;
    canvas.width = Math.round(plan.width * ratio);
    canvas.height = Math.round(plan.height * ratio);
    canvas.style.height = `${plan.height}px`;
    const context = canvas.getContext("2d");
    if (context === null) return;
    context.scale(ratio, ratio);
    const { selected, cursor, words } = this;
    draw(context, plan, { ...data, begin: data.whole.from, selected, cursor, words }, paintsAt(canvas, TOKENS));
  }
}
