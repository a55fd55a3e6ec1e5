/** How an item of a graph looks, and what it says. Never decides where it stands. */

import type { GraphItem } from "../../api/types.gen.ts";
import { count, duration, rate } from "../words/format.ts";
import { GRAPH } from "../words/graphtext.ts";
import { type Camera, levelOf } from "./camera.ts";
import type { Facts, Part } from "./facts.ts";
import type { Figure, Pen } from "./pen.ts";
import type { SceneItem } from "./scene.ts";
import type { Span } from "./times.ts";

const NAME = 13;
const NOTE = 11;
/** Letters of names that are seen from further away, and from where on they can be read. */
const SMALL = 20;
const NAMED = 0.3;
/** The part of an opened stack that is not its nodes. */
const HEAD = 60;
const ICON = 16;
const SECOND = 1000;
const INSET = 10;
/** Where words begin beside a shape. */
const BESIDE = 34;

export function figureOf(item: SceneItem, facts: Facts, camera: Camera, chosen: boolean, now: number): Figure {
  const level = levelOf(camera);
  const isNamed = camera.zoom >= NAMED;
  const parts = facts.partsOf(item);
  const shape = facts.markOf(item)?.shape;
  const span = facts.timeOf(item);
  const label = withTime(labelOf(item, facts), item, span, now);
  const look = `${level} ${isNamed} ${chosen} ${item.open} ${item.x} ${item.y} ${item.height} ${label} ${parts.map((part) => part.share.toFixed(3)).join()}`;
  return {
    key: item.key,
    look,
    label,
    draw: (pen) => {
      drawFrame(pen, item, chosen, level === "boxes" && item.inside === undefined ? shape : undefined);
      if (level === "boxes") drawSmall(pen, item, facts, isNamed);
      else drawFull(pen, item, facts, parts, span && shortTime(span, now));
    },
  };
}

function drawFrame(pen: Pen, item: SceneItem, chosen: boolean, tint: Parameters<Pen["shape"]>[0] | undefined): void {
  const stroke = chosen ? "accent" : "edge";
  if (item.count > 1 && !item.open) {
    for (const off of [6, 3]) pen.box({ ...item, x: item.x + off, y: item.y - off, round: 6, fill: { ink: "panel" }, stroke: "line" });
  }
  const fill = item.open ? ({ ink: "sunken" } as const) : ({ ink: "panel" } as const);
  pen.box({ ...item, round: 6, fill });
  if (tint !== undefined && !item.open) pen.box({ ...item, round: 6, fill: { ink: tint, strength: 0.22 } });
  pen.box({ ...item, round: 6, stroke, thick: chosen ? 2.5 : 1 });
}

/** Its shape, and its name in larger letters where they can be read. */
function drawSmall(pen: Pen, item: SceneItem, facts: Facts, isNamed: boolean): void {
  const shape = facts.markOf(item)?.shape;
  const side = Math.min(28, item.height - 4);
  const middle = item.y + (item.open ? HEAD : item.height) / 2;
  const left = isNamed ? item.x + 8 : item.x + (item.width - side) / 2;
  if (shape !== undefined) pen.shape(shape, left, middle - side / 2, side);
  if (!isNamed) return;
  const size = item.inside === undefined ? SMALL : NAME;
  const x = shape === undefined ? left : left + side + 6;
  pen.text({ text: nameOf(item), x, y: middle + size / 3, width: item.x + item.width - x - 4, size, bold: true, ink: "ink" });
}

function drawFull(pen: Pen, item: SceneItem, facts: Facts, parts: readonly Part[], time: string | undefined): void {
  const mark = facts.markOf(item);
  const left = mark === undefined ? INSET : BESIDE;
  const width = item.width - left - INSET;
  if (item.inside !== undefined) {
    if (mark !== undefined) pen.shape(mark.shape, item.x + INSET, item.y + 7, 14);
    pen.text({ text: item.id, x: item.x + left, y: item.y + 18, width, size: 12, ink: "ink" });
    return;
  }
  if (mark !== undefined) pen.shape(mark.shape, item.x + INSET, item.y + 10, ICON);
  pen.text({ text: nameOf(item), x: item.x + left, y: item.y + 19, width, size: NAME, bold: true, ink: "ink" });
  const note = [noteOf(item, facts), ...(time === undefined ? [] : [time])].join(", ");
  pen.text({ text: note, x: item.x + left, y: item.y + 35, width, size: NOTE, ink: "muted" });
  if (item.count > 1 || item.kind === "pool") drawBar(pen, item.x + INSET, item.y + 45, item.width - 2 * INSET, parts);
  if (item.kind === "pool" && item.count === 1) drawInside(pen, item);
}

function drawBar(pen: Pen, x: number, y: number, width: number, parts: readonly Part[]): void {
  pen.box({ x, y, width, height: 5, fill: { ink: "sunken" } });
  let at = x;
  for (const { shape, share } of parts) {
    const strength = shape === "queued" || shape === "waiting" ? 0.45 : 1;
    pen.box({ x: at, y, width: share * width, height: 5, fill: { ink: shape, strength } });
    at += share * width;
  }
}

/** What a pool computes with, side by side. */
function drawInside(pen: Pen, { x, y, width, processor, reducer }: SceneItem): void {
  const half = (width - 3 * INSET) / 2;
  for (const [at, name] of [processor, reducer].entries()) {
    if (name === undefined) continue;
    const left = x + INSET + at * (half + INSET);
    pen.box({ x: left, y: y + 58, width: half, height: 24, round: 4, fill: { ink: "sunken" }, stroke: "line" });
    pen.text({ text: name, x: left + half / 2, y: y + 74, width: half - 8, size: NOTE, ink: "ink", middle: true });
  }
}

/** Whole seconds while it goes on: what changes ten times a second tells nobody more. */
function shortTime({ from, to }: Span, now: number): string {
  return duration(to === undefined ? Math.max(SECOND, Math.floor((now - from) / SECOND) * SECOND) : to - from);
}

/** A pool does not say that it runs: its jobs do. */
function withTime(label: string, { kind }: SceneItem, span: Span | undefined, now: number): string {
  if (span === undefined) return label;
  const isSaid = span.to === undefined && kind !== "pool";
  return isSaid ? GRAPH.forTime(label, shortTime(span, now)) : GRAPH.andTime(label, timeText(span, now));
}

export function timeText(span: Span, now: number): string {
  const time = shortTime(span, now);
  return span.to === undefined ? GRAPH.runsFor(time) : GRAPH.ranFor(time);
}

export function nameOf(item: GraphItem): string {
  if (item.id === "") return GRAPH.kinds[item.kind];
  return item.count > 1 ? GRAPH.stack(item.count, item.source ?? GRAPH.kinds[item.kind]) : item.id;
}

function noteOf(item: GraphItem, facts: Facts): string {
  const kind = item.isFinal === true ? GRAPH.final : GRAPH.kinds[item.kind];
  if (item.count > 1) return counts(facts.partsOf(item)) || GRAPH.folded;
  const jobs = facts.jobsOf(item);
  if (item.kind === "pool" && jobs !== undefined) {
    const fast = facts.rateOf(item);
    return [GRAPH.jobs(jobs.done, jobs.total), ...(fast > 0 ? [GRAPH.rate(rate(fast))] : [])].join(", ");
  }
  const told = facts.markOf(item)?.word ?? item.source;
  return told === undefined ? kind : `${kind}, ${told}`;
}

/** `12 running, 3 failed`. */
export function counts(parts: readonly Part[]): string {
  return parts.map((part) => `${count(part.count)} ${GRAPH.shapes[part.shape]}`).join(", ");
}

export function labelOf(item: GraphItem, facts: Facts): string {
  return GRAPH.told(nameOf(item), noteOf(item, facts));
}
