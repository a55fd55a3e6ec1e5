/**
 * A graph with its tools, and beside it what is said of a node: on a wide screen as a picture or a table, on a phone as a list of layers.
 * What is looked at stands in the address.
 *
 * Mounts the stage, which draws; asks nothing itself.
 */

import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { GraphItem, Progress } from "../../api/types.gen.ts";
import { useAnnounced } from "../app/announce.tsx";
import { routeOf } from "../app/routes.ts";
import { replaceEntry, replaceQuery } from "../app/where.ts";
import { type OpenGraph, type Part, WHOLE, openGraph } from "../data/graph.ts";
import { MAX_HOPS, type Sight, queryOf, sightIn } from "../graph/address.ts";
import { type Facts, NO_FACTS, factsOf } from "../graph/facts.ts";
import { nextFailed } from "../graph/failed.ts";
import { nameOf } from "../graph/look.ts";
import { Rates } from "../graph/rates.ts";
import { type Scene, type SceneItem, sceneOf } from "../graph/scene.ts";
import { Stage } from "../graph/stage.ts";
import { type Times, longestFirst } from "../graph/times.ts";
import { nextThat } from "../graph/walk.ts";
import { heldBack } from "../live/news.ts";
import { GRAPH } from "../words/graphtext.ts";
import { Failed, Loading } from "./faces.tsx";
import { GraphTable, LayerList } from "./graphlist.tsx";
import { Tools } from "./graphtools.tsx";
import { useLetters } from "./letters.ts";
import { isNarrow } from "./narrow.ts";

/** What lives of a graph: the states of its nodes, the jobs of its pools, and for how long nodes run. */
export interface Life {
  readonly states: ReadonlySignal<Uint8Array | undefined>;
  readonly pools: ReadonlySignal<ReadonlyMap<string, Progress>>;
  readonly times: ReadonlySignal<Times>;
  /** Nothing of the run is handed out. */
  readonly paused: ReadonlySignal<boolean>;
  /** The id of a node that is called so, wherever it is. */
  readonly find: (text: string) => Promise<string | undefined>;
  /** The id of the failed node that comes next behind this one in document order, wherever it is. */
  readonly failed: (behind: string) => Promise<string | undefined>;
}

interface Shown {
  readonly workflow: string;
  readonly life?: Life;
  /** What is said of a node; `choose` goes to another one. */
  readonly beside: (node: string, item: GraphItem | undefined, choose: (node: string) => void, close: () => void) => ComponentChildren;
  /** What there is to see where the workflow has no picture. */
  readonly instead?: ComponentChildren;
}

/** Entries that say how somebody looks at the node that is told of. */
const OF_NODE = ["panels", "faces"] as const;

export function Graph({ workflow, life, beside, instead }: Shown) {
  const first = useMemo(() => sightIn(routeOf(location.hash).query), []);
  const sight = useSignal(first);
  const graph = useMemo(() => openGraph(workflow, partOf(first), first.open), []);
  const said = useSignal("");
  const stage = useRef<Stage | undefined>(undefined);
  const set = (change: Partial<Sight>): void => {
    // What is open of one node says nothing of another one.
    if (change.node !== undefined && change.node !== sight.peek().node) for (const entry of OF_NODE) replaceEntry(entry, "");
    sight.value = { ...sight.peek(), ...change };
  };
  useSignalEffect(() => replaceQuery(queryOf(sight.value)));
  const scene = useScene(graph);
  const facts = useFacts(graph, life);
  const { picture, layers, problem } = graph;
  if (picture.value === undefined || layers.value === undefined || scene === undefined) {
    if (problem.value === undefined) return <Loading />;
    return (
      <>
        <Failed problem={problem.value} retry={() => void graph.load()} />
        {instead}
      </>
    );
  }
  const close = (): void => {
    set({ node: "" });
    stage.current?.focus();
  };
  const choose = (node: string): void => void goTo(graph, scene, node, set, stage.current);
  const { node } = sight.value;
  const item = scene.items.findLast(({ id }) => id === node);
  const told = node !== "" && beside(node, item, choose, close);
  if (told && isNarrow.value) return <>{told}</>;
  const shown = { graph, scene, facts, sight: sight.value, set, said, choose, life, stage };
  const escape = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && node !== "") close();
  };
  return (
    <section class="graph" aria-label={GRAPH.label(picture.value.nodes, layers.value.counts.length)} onKeyDown={escape}>
      {problem.value !== undefined && <Failed problem={problem.value} retry={() => void graph.show(graph.part.value)} />}
      <Picture {...shown}>{told}</Picture>
    </section>
  );
}

interface Drawn {
  readonly graph: OpenGraph;
  readonly scene: Scene;
  readonly facts: Facts;
  readonly sight: Sight;
  readonly set: (change: Partial<Sight>) => void;
  readonly said: { value: string };
  readonly choose: (node: string) => void;
  readonly life: Life | undefined;
  readonly stage: { current: Stage | undefined };
  readonly children?: ComponentChildren;
}

function Picture(drawn: Drawn) {
  const { graph, scene, facts, sight, set, said, choose, life, stage, children } = drawn;
  const counts = graph.layers.value?.counts ?? [];
  const go = (wanted: Part): void => {
    set({ ...sightOf(wanted), camera: undefined });
    stage.current?.forget();
    void graph.show(wanted);
  };
  const toFailed = (): void => void reachFailed(drawn, stage.current);
  const find = (text: string): void => void look(text, drawn, stage.current);
  const longest = (): void => {
    const id = longestRunning(drawn);
    if (id === undefined) said.value = GRAPH.noneRuns;
    else void reachNode(drawn, id, stage.current);
  };
  const follow = (): void => set({ follow: !sight.follow });
  useAnnounced(said.value, said.value);
  useLetters({ t: () => set({ table: !sight.table }), e: toFailed, l: longest, f: follow });
  const isList = isNarrow.value || sight.table;
  const open = (item: SceneItem): void => (item.count > 1 ? toggle(graph, item, set) : set({ node: item.id }));
  return (
    <>
      <Tools
        {...{ sight, set, find, longest }}
        nextFailed={toFailed}
        lives={life !== undefined}
        zoom={isList ? undefined : (factor) => (factor === 0 ? stage.current?.fit() : stage.current?.zoom(factor))}
      />
      <Where graph={graph} go={go} />
      <div class="graph-split" data-beside={Boolean(children)}>
        {isNarrow.value && (
          <LayerList
            {...{ scene, counts, facts, choose, open }}
            seek={(layer) => void seekLayer(graph, layer, set)}
            opened={sight.layers}
            setOpened={(layers) => set({ layers })}
          />
        )}
        {!isNarrow.value && sight.table && <GraphTable {...{ scene, facts, choose, open }} />}
        {!isList && <Canvas {...drawn} open={open} counts={counts} />}
        {children}
      </div>
      <p class="graph-hint muted">{said.value === "" ? !isNarrow.value && GRAPH.keys : said.value}</p>
    </>
  );
}

interface Mounted extends Drawn {
  readonly open: (item: SceneItem) => void;
  readonly counts: readonly number[];
}

/** The place of the stage, which is told what is new. */
function Canvas({ graph, scene, facts, sight, set, said, open, stage, counts }: Mounted) {
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef(open);
  opener.current = open;
  useLayoutEffect(() => {
    const nodes = graph.picture.peek()?.nodes ?? 0;
    const made = new Stage(
      {
        open: (item) => opener.current(item),
        seek: (layer) => void seekLayer(graph, layer, set).then(() => made.enter(layer)),
        moved: (camera) => set({ camera }),
        reached: (words) => (said.value = words),
      },
      GRAPH.label(nodes, counts.length),
    );
    stage.current = made;
    place.current?.replaceChildren(made.element);
    if (sight.camera !== undefined) made.look(sight.camera);
    return () => {
      made.close();
      stage.current = undefined;
    };
  }, []);
  useLayoutEffect(() => stage.current?.show(scene, counts), [scene, counts]);
  useLayoutEffect(() => stage.current?.tell(facts), [facts]);
  const isHeld = heldBack.value !== undefined;
  useLayoutEffect(() => stage.current?.still(isHeld), [isHeld]);
  useLayoutEffect(() => stage.current?.choose(sight.node === "" ? undefined : sight.node), [sight.node, scene]);
  useLayoutEffect(() => {
    if (sight.follow) stage.current?.keepInView(running(scene, facts));
  }, [facts, scene, sight.follow]);
  return <div ref={place} />;
}

/** Which part of the graph this is, and the ways to the others. */
function Where(shown: { readonly graph: OpenGraph; readonly go: (part: Part) => void }) {
  return (
    <>
      <PartOfIt {...shown} />
      {[...shown.graph.open.value].map(
        ([id, { more, members }]) =>
          more && (
            <p class="graph-tools" key={id}>
              <button class="button small" type="button" data-more={id} onClick={() => void shown.graph.openStack(id)}>
                {GRAPH.moreMembers(id, members.length)}
              </button>
            </p>
          ),
      )}
    </>
  );
}

function PartOfIt({ graph, go }: { readonly graph: OpenGraph; readonly go: (part: Part) => void }) {
  const [part, view] = [graph.part.value, graph.picture.value];
  if (view === undefined || (part.kind === "window" && part.after === "" && view.cut === null)) return null;
  const next = view.cut?.next ?? null;
  return (
    <p class="graph-tools" id="graph-part">
      {part.kind === "near" && <span>{GRAPH.near(part.node)}</span>}
      {view.cut !== null && <span>{GRAPH.cut(view.cut.items, view.items[0]?.layer ?? 0, view.items.at(-1)?.layer ?? 0)}</span>}
      {part.kind === "near" && part.hops < MAX_HOPS && (
        <button class="button small" type="button" onClick={() => go({ ...part, hops: part.hops + 1 })}>
          {GRAPH.nearMore}
        </button>
      )}
      {part.kind === "window" && next !== null && (
        <button class="button small" id="graph-next" type="button" onClick={() => go({ kind: "window", after: next })}>
          {GRAPH.nextPart}
        </button>
      )}
      {(part.kind === "near" || part.after !== "") && (
        <button class="button small" id="graph-all" type="button" onClick={() => go(WHOLE)}>
          {part.kind === "near" ? GRAPH.all : GRAPH.firstPart}
        </button>
      )}
    </p>
  );
}

function useScene({ picture, open }: OpenGraph): Scene | undefined {
  const [view, stacks] = [picture.value, open.value];
  return useMemo(() => view && sceneOf(view, stacks), [view, stacks]);
}

function useFacts({ layers }: OpenGraph, life: Life | undefined): Facts {
  const rates = useMemo(() => new Rates(), []);
  const [known, states, pools, times] = [layers.value, life?.states.value, life?.pools.value, life?.times.value];
  const paused = life?.paused.value;
  const fast = useMemo(() => rates.note(performance.now(), pools ?? new Map()), [pools]);
  return useMemo(() => {
    if (known === undefined || states === undefined || pools === undefined || times === undefined) return NO_FACTS;
    return factsOf(states, known, pools, fast, times, paused);
  }, [known, states, pools, times, paused]);
}

function partOf({ near, hops, after }: Sight): Part {
  return near === "" ? { kind: "window", after } : { kind: "near", node: near, hops };
}

function sightOf(part: Part): Pick<Sight, "near" | "hops" | "after"> {
  return part.kind === "near" ? { near: part.node, hops: part.hops, after: "" } : { near: "", hops: 1, after: part.after };
}

function toggle(graph: OpenGraph, { id, open }: SceneItem, set: Drawn["set"]): void {
  if (open) graph.closeStack(id);
  else void graph.openStack(id);
  const others = [...graph.open.peek().keys()].filter((one) => one !== id);
  set({ open: open ? others : [...others, id] });
}

/** A node that is not among what is here is looked at with what is around it. */
async function goTo(graph: OpenGraph, scene: Scene, node: string, set: Drawn["set"], stage: Stage | undefined): Promise<void> {
  set({ node });
  if (scene.items.some(({ id, count }) => id === node && count === 1)) return;
  const part: Part = { kind: "near", node, hops: 1 };
  stage?.forget();
  await graph.show(part);
  if (graph.problem.value === undefined) set({ ...sightOf(part), camera: undefined });
}

async function seekLayer(graph: OpenGraph, layer: number, set: Drawn["set"]): Promise<void> {
  await graph.seek(layer);
  set(sightOf(graph.part.value));
}

/** Looks among what is here, from where the keys are on; then everywhere. */
async function look(text: string, { graph, scene, life, set, said }: Drawn, stage: Stage | undefined): Promise<void> {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return;
  const at = nextThat(scene, stage?.here, (one) => fits(scene.items[one], wanted));
  if (at !== undefined) return reach(stage, scene, at, set);
  const id = (await life?.find(text.trim())) ?? (life === undefined ? text.trim() : undefined);
  if (id === undefined) {
    said.value = GRAPH.nothing(text.trim());
    return;
  }
  await goTo(graph, scene, id, set, stage);
  said.value = graph.problem.value === undefined ? GRAPH.found(id) : GRAPH.nothing(text.trim());
}

function fits(item: SceneItem | undefined, wanted: string): boolean {
  return item !== undefined && nameOf(item).toLowerCase().includes(wanted);
}

/** Shows an item, and tells of it where it is one node. */
function reach(stage: Stage | undefined, scene: Scene, at: number, set: Drawn["set"]): void {
  const item = scene.items[at];
  if (item === undefined) return;
  set({ node: item.count > 1 ? "" : item.id });
  stage?.lookAt(at);
}

/** Shows a node, wherever it is. */
async function reachNode({ graph, scene, set }: Drawn, node: string, stage: Stage | undefined): Promise<void> {
  const at = scene.items.findLastIndex(({ id, count }) => id === node && count === 1);
  if (at >= 0) return reach(stage, scene, at, set);
  await goTo(graph, scene, node, set, stage);
}

/** The next failed node, also where it is folded into a stack or outside of what is here. */
async function reachFailed(drawn: Drawn, stage: Stage | undefined): Promise<void> {
  const { graph, scene, facts, sight, life, set, said } = drawn;
  const nodes = scene.items.filter(({ count }) => count === 1);
  const from = nodes.find(({ id }) => id === sight.node) ?? scene.items[stage?.here ?? 0];
  const shown = nodes.filter((item) => isFailed(facts, item)).map(({ node }) => node);
  const states = life?.states.value;
  const place = nextFailed(states, shown, from?.node);
  if (place === undefined && states !== undefined) {
    said.value = GRAPH.noFailed;
    return;
  }
  const at = place === undefined ? -1 : scene.items.findLastIndex(({ node, count }) => node === place && count === 1);
  if (at >= 0) return reach(stage, scene, at, set);
  const id = await life?.failed(from?.id ?? "");
  if (id === undefined) said.value = place === undefined ? GRAPH.noFailedKnown : GRAPH.failedUnknown;
  else await goTo(graph, scene, id, set, stage);
}

/** Where it is not known since when nodes run, the first one that does. */
function longestRunning({ scene, facts, life }: Drawn): string | undefined {
  const runs = new Map(scene.items.map((item) => [item.id, facts.markOf(item)?.shape === "running"]));
  const known = longestFirst(life?.times.value ?? new Map()).find((id) => runs.get(id) !== false);
  return known ?? scene.items[running(scene, facts)[0] ?? -1]?.id;
}

function isFailed(facts: Facts, item: SceneItem): boolean {
  return facts.markOf(item)?.shape === "failed" || facts.partsOf(item).some(({ shape }) => shape === "failed");
}

function running({ items }: Scene, facts: Facts): number[] {
  return items.flatMap((item, at) => (facts.markOf(item)?.shape === "running" ? [at] : []));
}
