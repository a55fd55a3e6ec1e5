/** What is painted of a graph as it is looked at: items and edges from near by, bars of layers from far away. Pure. */

import { type Camera, type Size, seen, stretchOf } from "./camera.ts";
import type { Facts } from "./facts.ts";
import { barsOf, layerFigure } from "./layerbars.ts";
import { figureOf } from "./look.ts";
import { type Figure, type Frame, type Line, strengthOf } from "./pen.ts";
import { type Box, LAYER_STEP, type Scene, boxOf, curve, itemsIn, overlaps } from "./scene.ts";

export interface Route extends Omit<Line, "lit"> {
  readonly box: Box;
}

export interface Looked {
  readonly scene: Scene;
  /** Nodes of each layer of the whole graph. */
  readonly counts: readonly number[];
  readonly facts: Facts;
  readonly routes: readonly Route[];
  readonly lit: ReadonlySet<number>;
  /** The id of the item that is told of. */
  readonly chosen: string | undefined;
  /** Where the keys are: an item, and from far away a layer. */
  readonly at: number;
  readonly layer: number;
  /** A canvas shows itself where the keys are. */
  readonly onCanvas: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Made once for a scene: edges are thousands. */
export function routesOf({ edges }: Scene): readonly Route[] {
  return edges.map(({ points, count, mark }, key) => {
    const route = { key, count, path: curve(points), box: boxOf(points) };
    return mark === undefined ? route : { ...route, mark };
  });
}

export function nearFrame(looked: Looked, camera: Camera, size: Size): Frame {
  const { scene, facts, routes, lit, chosen, onCanvas, now } = looked;
  const view = seen(camera, size);
  const figures = itemsIn(scene, view).flatMap((at): Figure[] => {
    const item = scene.items[at];
    if (item === undefined) return [];
    return [figureOf(item, facts, camera, item.id === chosen || (onCanvas && at === looked.at), now)];
  });
  const lines = routes.filter(({ box }) => overlaps(box, view)).map((line) => ({ ...line, lit: lit.has(line.key) }));
  lines.sort((one, other) => weightOf(one) - weightOf(other));
  const { zoom } = camera;
  const at = scene.items[looked.at]?.key;
  return { ...size, x: -view.x * zoom, y: -view.y * zoom, zoom, figures, lines, strength: strengthOf(lines.length), at };
}

/** What is painted last lies above all others. */
function weightOf({ lit, mark }: Line): number {
  return Number(lit) + Number(mark !== undefined);
}

export function farFrame({ scene, counts, facts, layer, onCanvas }: Looked, camera: Camera, size: Size): Frame {
  const wide = stretched(scene, camera, size);
  const figures = barsOf(counts, wide, size).map(([at, box]) =>
    layerFigure(at, counts[at] ?? 0, box, facts, LAYER_STEP * wide.zoom, onCanvas && at === layer),
  );
  return { ...size, x: 0, y: 0, zoom: 1, figures, lines: [], strength: 1, at: `layer ${layer}` };
}

/** As bars of layers are looked at. */
export function stretched(scene: Scene, camera: Camera, size: Size): Camera {
  return { ...camera, zoom: camera.zoom * stretchOf(wholeOf(scene), size) };
}

export function wholeOf({ width, height }: Scene): Box {
  return { x: 0, y: 0, width, height };
}
