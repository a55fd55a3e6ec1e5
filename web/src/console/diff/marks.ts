/** How what differs between two versions is marked in the graph of one of them. Pure. */

import type { GraphItem, GraphLayers, GraphView } from "../../api/types.gen.ts";
import type { Outline } from "../editor/said.ts";
import { type Facts, NO_FACTS, type Part } from "../graph/facts.ts";
import type { EdgeMark, Scene } from "../graph/scene.ts";
import { DIFF } from "../words/diff.ts";
import type { Mark } from "../words/states.ts";
import type { EdgeChange, NodeChange } from "./versions.ts";

export type Change = NodeChange["state"];

/** In the order in which a bar shows them. */
const CHANGES: readonly Change[] = ["added", "changed", "removed"];

export function markOfChange(state: Change): Mark {
  return { shape: state, word: DIFF.state[state], meaning: "" };
}

type Layers = Pick<GraphLayers, "counts" | "layerOf" | "itemOf">;

/** `ids`: of the nodes of this version, in document order; `nodes`: those of them that are to be marked. */
export function factsOfChanges(nodes: readonly NodeChange[], ids: readonly string[], layers: Layers): Facts {
  const changes = new Map(nodes.map(({ id, state }) => [id, state]));
  const [stacks, columns] = [new Map<number, Change[]>(), new Map<number, Change[]>()];
  for (const [node, id] of ids.entries()) {
    const change = changes.get(id);
    if (change === undefined) continue;
    put(stacks, layers.itemOf[node], change);
    put(columns, layers.layerOf[node], change);
  }
  const partsOf = ({ node, count }: GraphItem): readonly Part[] => (count > 1 ? parts(stacks.get(node), count) : []);
  const markOf = (item: GraphItem): Mark | undefined => {
    const change = item.count > 1 ? partsOf(item)[0]?.shape : changes.get(item.id);
    return CHANGES.filter((one) => one === change).map(markOfChange)[0];
  };
  return { ...NO_FACTS, markOf, partsOf, partsOfLayer: (layer) => parts(columns.get(layer), layers.counts[layer] ?? 0) };
}

function put(all: Map<number, Change[]>, place: number | undefined, change: Change): void {
  if (place === undefined) return;
  const known = all.get(place);
  if (known === undefined) all.set(place, [change]);
  else known.push(change);
}

function parts(changes: readonly Change[] = [], all: number): readonly Part[] {
  return CHANGES.flatMap((shape) => {
    const count = changes.filter((one) => one === shape).length;
    return count === 0 ? [] : [{ shape, count, share: count / all }];
  });
}

/** The same scene with its edges marked. What leads to a folded node leads to its stack. */
export function markEdges(scene: Scene, { items }: GraphView, edges: readonly EdgeChange[], ids: readonly string[], layers: Layers): Scene {
  if (edges.length === 0) return scene;
  const nodes = new Map(ids.map((id, node) => [id, node]));
  const places = new Map(items.map(({ node }, at) => [node, at]));
  const placeOf = (id: string): number | undefined => {
    const node = nodes.get(id);
    return node === undefined ? undefined : places.get(layers.itemOf[node] ?? node);
  };
  const marks = new Map(edges.map(({ source, dest, state }): [string, EdgeMark] => [`${placeOf(source)} ${placeOf(dest)}`, state]));
  const marked = scene.edges.map((edge) => {
    const mark = marks.get(`${edge.from} ${edge.to}`);
    return mark === undefined ? edge : { ...edge, mark };
  });
  return { ...scene, edges: marked };
}

/** The ids of a version's nodes in document order. */
export function idsOf({ nodes }: Outline): readonly string[] {
  return nodes.map(({ id }) => id);
}
