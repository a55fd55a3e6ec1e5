/**
 * A picture of the server as it is drawn: with stacks opened in place, and each edge as the points that it leads through.
 *
 * Pure. Where things stand, the server has decided; all that is added here is the room that an opened stack takes.
 */

import type { GraphEdge, GraphItem, GraphMember, GraphView } from "../../api/types.gen.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Point = readonly [x: number, y: number];

/** A stack that somebody has opened, as far as its nodes are known. */
export interface OpenStack {
  readonly members: readonly GraphMember[];
  readonly more: boolean;
}

export interface SceneItem extends GraphItem {
  /** Its own id, but for a node of an opened stack: its stack is called by the id of the first one. One of its own where ids are the same. */
  readonly key: string;
  /** It is an opened stack: a frame around its nodes. */
  readonly open: boolean;
  /** The place of the opened stack that it is a node of. */
  readonly inside?: number;
}

export interface SceneEdge {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** From the right side of one item to the left side of the other. */
  readonly points: readonly Point[];
  readonly mark?: EdgeMark;
}

/** What became of an edge from one version of a workflow to the next. */
export type EdgeMark = "added" | "removed";

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly layers: number;
  /** Nodes of an opened stack stand behind all items of the picture. */
  readonly items: readonly SceneItem[];
  readonly edges: readonly SceneEdge[];
}

/** How high the head of a stack is, where edges meet it. */
const HEAD = 60;
const MEMBER = 28;
const GAP = 6;
const INSET = 8;
/** From one layer to the next, as the layout of the server places them. */
export const LAYER_STEP = 264;
export const ITEM_WIDTH = 168;

interface Shift {
  readonly x: number;
  readonly width: number;
  readonly below: number;
  readonly by: number;
}

export function sceneOf(view: GraphView, open: ReadonlyMap<string, OpenStack>): Scene {
  const shifts = view.items.flatMap((item) => shiftOf(item, open.get(item.id)));
  const keys = new Set<string>();
  const stacks = view.items.map((item): SceneItem => {
    const stack = open.get(item.id);
    const y = shifted(item.x, item.y, shifts);
    // A text that is still written may have an id twice, or lack it.
    const key = item.id === "" || keys.has(item.id) ? `${item.id} #${item.node}` : item.id;
    keys.add(key);
    return { ...item, key, y, height: item.height + roomFor(stack), open: stack !== undefined };
  });
  const members = stacks.flatMap((item, at) => (open.get(item.id)?.members ?? []).map((member, row) => memberOf(item, at, member, row)));
  const edges = view.edges.map((edge) => edgeOf(edge, stacks, shifts));
  const height = Math.max(view.height, ...stacks.map((item) => item.y + item.height));
  return { width: view.width, height, layers: view.layers, items: [...stacks, ...members], edges };
}

function roomFor(stack: OpenStack | undefined): number {
  return stack === undefined ? 0 : stack.members.length * (MEMBER + GAP) + (stack.more ? MEMBER : 0) + INSET;
}

function shiftOf(item: GraphItem, stack: OpenStack | undefined): Shift[] {
  if (stack === undefined) return [];
  return [{ x: item.x, width: item.width, below: item.y, by: roomFor(stack) }];
}

/** Whatever stands below an opened stack in its column moves down. */
function shifted(x: number, y: number, shifts: readonly Shift[]): number {
  const above = shifts.filter((shift) => x >= shift.x && x <= shift.x + shift.width && y > shift.below);
  return above.reduce((down, { by }) => down + by, y);
}

function memberOf(stack: SceneItem, inside: number, { id, node }: GraphMember, row: number): SceneItem {
  const y = stack.y + HEAD + row * (MEMBER + GAP);
  const { kind, layer, x, width, source } = stack;
  const code = source === undefined ? {} : { source };
  const key = `${stack.id} ${id}`;
  return { key, id, node, count: 1, kind, ...code, layer, x: x + INSET, y, width: width - 2 * INSET, height: MEMBER, open: false, inside };
}

function edgeOf({ from, to, count, via = [] }: GraphEdge, items: readonly SceneItem[], shifts: readonly Shift[]): SceneEdge {
  const [begin, end] = [items[from], items[to]];
  if (begin === undefined || end === undefined) throw new Error("an edge of the picture leads to no item of it");
  const between = via.map(([x, y]): Point => [x, shifted(x, y, shifts)]);
  const points: Point[] = [[begin.x + begin.width, middle(begin)], ...between, [end.x, middle(end)]];
  return { from, to, count, points };
}

function middle({ y, height, open }: SceneItem): number {
  return y + (open ? HEAD : height) / 2;
}

/** How far an edge that leads back swings out. */
const SWING = 60;

/** A curve through the points, level at each of them: what a path of SVG and of a canvas is made from. */
export function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let [x, y] = first;
  let path = `M${x} ${y}`;
  for (const [toX, toY] of rest) {
    const bend = toX > x ? (toX - x) / 2 : SWING;
    path += `C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}`;
    [x, y] = [toX, toY];
  }
  return path;
}

/** The item at a point; a node before the stack that it is in. */
export function itemAt({ items }: Scene, [x, y]: Point): number | undefined {
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at];
    if (item !== undefined && x >= item.x && x <= item.x + item.width && y >= item.y && y <= item.y + item.height) return at;
  }
  return undefined;
}

export function overlaps(one: Box, other: Box): boolean {
  const beside = one.x > other.x + other.width || other.x > one.x + one.width;
  return !beside && one.y <= other.y + other.height && other.y <= one.y + one.height;
}

/** Places of the items of which a part is inside. */
export function itemsIn({ items }: Scene, view: Box): number[] {
  return items.flatMap((item, at) => (overlaps(item, view) ? [at] : []));
}

/** The box around an edge: its points never leave it, nor does its curve. */
export function boxOf(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Everything that comes after this item on some way to the final node: the edges of these ways. */
export function waysFrom({ items, edges }: Scene, begin: number): ReadonlySet<number> {
  // A node of an opened stack has the edges of its stack.
  const start = items[begin]?.inside ?? begin;
  const leaving = new Map<number, number[]>();
  for (const [at, { from }] of edges.entries()) {
    const known = leaving.get(from);
    if (known === undefined) leaving.set(from, [at]);
    else known.push(at);
  }
  const [lit, seen, open] = [new Set<number>(), new Set([start]), [start]];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    for (const at of leaving.get(item) ?? []) {
      lit.add(at);
      const to = edges[at]?.to ?? start;
      if (!seen.has(to)) {
        seen.add(to);
        open.push(to);
      }
    }
  }
  return lit;
}
