/**
 * The graph of one of two versions, in which what differs is marked. What is pressed is told of in words; a stack opens in place.
 *
 * Mounts the stage, which draws; asks nothing itself.
 */

import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { GraphLayers, GraphView } from "../../../api/types.gen.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { type OpenGraph, WHOLE, openGraph } from "../../data/graph.ts";
import { type Change, factsOfChanges, markEdges, markOfChange } from "../../diff/marks.ts";
import type { EdgeChange, NodeChange } from "../../diff/versions.ts";
import { type SceneItem, sceneOf } from "../../graph/scene.ts";
import { Stage } from "../../graph/stage.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { StateMark } from "../../parts/state.tsx";
import { DIFF } from "../../words/diff.ts";
import { GRAPH } from "../../words/graphtext.ts";

interface Shown {
  readonly side: keyof typeof DIFF.graphs;
  /** Content hash of the version. */
  readonly version: string;
  /** Its nodes, in document order. */
  readonly ids: readonly string[];
  /** Those of them and of its edges that are marked. */
  readonly nodes: readonly NodeChange[];
  readonly edges: readonly EdgeChange[];
}

export function MarkedGraph(shown: Shown) {
  const { side, version, nodes, edges } = shown;
  const graph = useMemo(() => openGraph(version, WHOLE, []), []);
  const said = useSignal("");
  useAnnounced(said.value, said.value);
  const [picture, layers, problem] = [graph.picture.value, graph.layers.value, graph.problem.value];
  const changes = [...new Set(nodes.map(({ state }) => state))];
  const ways = [...new Set(edges.map(({ state }) => state))];
  return (
    <section class="marked-graph" id={`graph-${side}`}>
      <h3>{DIFF.graphs[side].title}</h3>
      <p class="muted marks">
        {changes.map((state) => (
          <StateMark key={state} mark={markOfChange(state)} />
        ))}
        {ways.map((state) => (
          <span key={state}>{DIFF.edgesMarked[state]}</span>
        ))}
      </p>
      {problem !== undefined && <Failed problem={problem} retry={() => void graph.load()} />}
      {picture !== undefined && layers !== undefined && <Drawn {...{ ...shown, graph, picture, layers, said }} />}
      {picture === undefined && problem === undefined && <Loading />}
      <p class="graph-hint muted">{said.value}</p>
    </section>
  );
}

interface Mounted extends Shown {
  readonly graph: OpenGraph;
  readonly picture: GraphView;
  readonly layers: GraphLayers;
  readonly said: Signal<string>;
}

function Drawn({ side, ids, nodes, edges, graph, picture, layers, said }: Mounted) {
  const place = useRef<HTMLDivElement>(null);
  const stage = useRef<Stage | undefined>(undefined);
  const open = (item: SceneItem): void => {
    if (item.count === 1) said.value = toldOf(item.id, nodes);
    else if (item.open) graph.closeStack(item.id);
    else void graph.openStack(item.id);
  };
  useLayoutEffect(() => {
    const seek = (layer: number): void => void graph.seek(layer).then(() => made.enter(layer));
    const reached = (words: string): void => void (said.value = words);
    const made = new Stage({ open, seek, moved: () => undefined, reached }, DIFF.graphs[side].label(picture.nodes));
    stage.current = made;
    place.current?.replaceChildren(made.element);
    return () => made.close();
  }, []);
  const stacks = graph.open.value;
  const scene = useMemo(() => markEdges(sceneOf(picture, stacks), picture, edges, ids, layers), [picture, stacks, layers]);
  const facts = useMemo(() => factsOfChanges(nodes, ids, layers), [layers]);
  useLayoutEffect(() => stage.current?.show(scene, layers.counts), [scene]);
  useLayoutEffect(() => stage.current?.tell(facts), [facts]);
  return (
    <>
      <div ref={place} />
      {picture.cut !== null && (
        <p class="muted">{GRAPH.cut(picture.cut.items, picture.items[0]?.layer ?? 0, picture.items.at(-1)?.layer ?? 0)}</p>
      )}
    </>
  );
}

function toldOf(id: string, nodes: readonly NodeChange[]): string {
  const change = nodes.find((one) => one.id === id);
  if (change === undefined) return DIFF.nodeSame(id);
  const { state, old, fresh } = change;
  return state === "changed" ? DIFF.nodeChanged(id, old, fresh) : DIFF.nodeOnce(id, state === "added" ? fresh : old, word(state));
}

function word(state: Change): string {
  return DIFF.state[state];
}
