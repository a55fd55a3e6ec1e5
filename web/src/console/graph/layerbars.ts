/** A graph from far away: a bar for each of its layers, as high as it has nodes, with what they do. In pixels of the screen. */

import { count } from "../words/format.ts";
import { GRAPH } from "../words/graphtext.ts";
import { type Camera, type Size, toScreen } from "./camera.ts";
import type { Facts } from "./facts.ts";
import { counts } from "./look.ts";
import type { Figure, Pen } from "./pen.ts";
import { type Box, ITEM_WIDTH, LAYER_STEP } from "./scene.ts";

/** Room for a count above a bar, and for a number below it. */
const HEAD = 28;
const FOOT = 28;
const LEAST = 4;
/** A count in fewer pixels cannot be read. */
const WORDS = 34;

/** Where the bar of each layer that can be seen stands on the screen. */
export function barsOf(all: readonly number[], camera: Camera, size: Size): readonly (readonly [layer: number, box: Box])[] {
  const most = all.reduce((found, nodes) => Math.max(found, nodes), 1);
  const room = size.height - HEAD - FOOT;
  return all.flatMap((nodes, layer) => {
    const [x] = toScreen(camera, size, [layer * LAYER_STEP, 0]);
    const width = Math.max(1, ITEM_WIDTH * camera.zoom);
    if (x + width < 0 || x > size.width) return [];
    const height = Math.max(LEAST, (nodes / most) * room);
    return [[layer, { x, y: HEAD + room - height, width, height }] as const];
  });
}

/** The layer whose column is at this x of the screen. */
export function layerAt(x: number, layers: number, camera: Camera, size: Size): number | undefined {
  const at = (x - size.width / 2) / camera.zoom + camera.x;
  const layer = Math.floor((at - ITEM_WIDTH / 2) / LAYER_STEP + 0.5);
  return layer >= 0 && layer < layers ? layer : undefined;
}

export function layerFigure(layer: number, nodes: number, box: Box, facts: Facts, step: number, chosen: boolean): Figure {
  const parts = facts.partsOfLayer(layer);
  const label = [GRAPH.layer(layer, nodes), counts(parts)].filter((text) => text !== "").join(": ");
  const every = Math.max(1, Math.ceil(WORDS / step));
  const draw = (pen: Pen): void => {
    pen.box({ ...box, round: 2, fill: { ink: parts.length === 0 ? "edge" : "sunken", strength: parts.length === 0 ? 0.45 : 1 } });
    let bottom = box.y + box.height;
    for (const { shape, share } of parts) {
      const height = share * box.height;
      bottom -= height;
      pen.box({ x: box.x, y: bottom, width: box.width, height, fill: { ink: shape, strength: shape === "waiting" ? 0.35 : 0.85 } });
    }
    if (chosen) pen.box({ x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4, round: 3, stroke: "accent", thick: 2 });
    if (layer % every !== 0) return;
    const middle = box.x + box.width / 2;
    pen.text({ text: count(nodes), x: middle, y: box.y - 6, width: WORDS * 1.5, size: 11, ink: "ink", middle: true });
    pen.text({ text: count(layer + 1), x: middle, y: box.y + box.height + 16, width: WORDS, size: 11, ink: "muted", middle: true });
  };
  const look = `${chosen} ${box.x.toFixed(1)} ${box.y.toFixed(1)} ${box.width.toFixed(1)} ${label} ${every}`;
  return { key: `layer ${layer}`, look, label, draw };
}
