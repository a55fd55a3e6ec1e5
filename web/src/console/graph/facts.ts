/** How the nodes of a run stand, added up for what is drawn of them. Pure. */

import { STATES } from "../../api/nodestates.ts";
import type { GraphItem, GraphLayers, Progress } from "../../api/types.gen.ts";
import { segments } from "../parts/segments.ts";
import type { Span, Times } from "./times.ts";
import { type Mark, type Shape, nodeMark } from "../words/states.ts";

/** In the order in which a bar shows them. */
const IN_BAR: readonly Shape[] = ["finished", "reused", "failed", "cancelled", "held", "running", "queued", "waiting"];
/** What is told of many nodes is what needs somebody first. */
const TOLD: readonly Shape[] = ["failed", "running", "queued", "held", "waiting", "cancelled", "finished"];

export interface Part {
  readonly shape: Shape;
  readonly count: number;
  /** A part of the whole, 0..1. */
  readonly share: number;
}

type Layers = Pick<GraphLayers, "counts" | "layerOf" | "itemOf">;

export interface Facts {
  /** `undefined` where nothing runs, or nobody knows. */
  readonly markOf: (item: GraphItem) => Mark | undefined;
  /** The states of a stack's nodes, or of a pool's jobs; empty for a single node. */
  readonly partsOf: (item: GraphItem) => readonly Part[];
  readonly partsOfLayer: (layer: number) => readonly Part[];
  readonly jobsOf: (item: GraphItem) => Progress | undefined;
  /** Jobs that a pool ends in a second; 0 where that is not known. */
  readonly rateOf: (item: GraphItem) => number;
  /** Since when a node runs, or for how long it has; `undefined` where nobody knows. */
  readonly timeOf: (item: GraphItem) => Span | undefined;
}

export const NO_FACTS: Facts = {
  markOf: () => undefined,
  partsOf: () => [],
  partsOfLayer: () => [],
  jobsOf: () => undefined,
  rateOf: () => 0,
  timeOf: () => undefined,
};

/**
 * `pools`: what is known of the jobs below pools, by their ids; `rates`: how many of them end in a second; `times`: of nodes, by their
 * ids; `paused`: what is queued is held.
 */
export function factsOf(
  states: Uint8Array,
  layers: Layers,
  pools: ReadonlyMap<string, Progress>,
  rates: ReadonlyMap<string, number>,
  times: Times,
  paused = false,
): Facts {
  const stacks = new Map<number, Uint32Array>();
  const sums = layers.counts.map(() => new Uint32Array(STATES.length));
  const { itemOf } = layers;
  for (let node = 0; node < itemOf.length; node += 1) {
    const [item, code] = [itemOf[node] ?? node, states[node]];
    if (code === undefined || code >= STATES.length) continue;
    add(sums[layers.layerOf[node] ?? -1], code);
    // An item of its own is its own state: a stack is known by its second node.
    if (item !== node) add(stackAt(stacks, item, states), code);
  }
  const partsOf = (item: GraphItem): readonly Part[] => {
    if (item.count > 1) return parts(stacks.get(item.node), paused);
    const jobs = item.kind === "pool" ? pools.get(item.id) : undefined;
    return jobs === undefined ? [] : partsOfJobs(jobs, paused);
  };
  const markOf = (item: GraphItem): Mark | undefined => {
    if (item.count > 1) return markOfMany(partsOf(item), paused);
    // A pool itself waits while its jobs are computed: what people want to know is that they are.
    const isBusy = STATES[states[item.node] ?? STATES.length] === "PARAM_FULFILLED" && (pools.get(item.id)?.running ?? 0) > 0;
    return isBusy ? nodeMark("RUNNING") : markOfCode(states[item.node], paused);
  };
  return {
    markOf,
    partsOf,
    partsOfLayer: (layer) => parts(sums[layer], paused),
    jobsOf: (item) => pools.get(item.id),
    rateOf: (item) => rates.get(item.id) ?? 0,
    timeOf: (item) => {
      const span = item.count > 1 ? undefined : times.get(item.id);
      // Attempts are asked for less often than states are told: what contradicts them is old.
      const fits = span !== undefined && timed(markOf(item)?.shape) === (span.to === undefined ? "runs" : "ran");
      return fits ? span : undefined;
    },
  };
}

function timed(shape: Shape | undefined): "runs" | "ran" | undefined {
  if (shape === "running") return "runs";
  return shape === "finished" || shape === "failed" || shape === "cancelled" ? "ran" : undefined;
}

function stackAt(stacks: Map<number, Uint32Array>, item: number, states: Uint8Array): Uint32Array {
  let stack = stacks.get(item);
  if (stack === undefined) {
    stack = new Uint32Array(STATES.length);
    add(stack, states[item] ?? STATES.length);
    stacks.set(item, stack);
  }
  return stack;
}

function add(counts: Uint32Array | undefined, code: number): void {
  const before = counts?.[code];
  if (counts !== undefined && before !== undefined) counts[code] = before + 1;
}

export function markOfCode(code: number | undefined, paused: boolean): Mark | undefined {
  const state = code === undefined ? undefined : STATES[code];
  return state === undefined ? undefined : nodeMark(state, paused);
}

function markOfMany(all: readonly Part[], paused: boolean): Mark | undefined {
  const shape = TOLD.find((told) => all.some((part) => part.shape === told));
  const marks = STATES.map((state) => nodeMark(state, paused));
  return marks.find((mark) => mark.shape === shape);
}

function parts(counts: Uint32Array | undefined, paused: boolean): readonly Part[] {
  if (counts === undefined) return [];
  const byShape = new Map<Shape, number>();
  let all = 0;
  for (const [code, count] of counts.entries()) {
    const shape = markOfCode(code, paused)?.shape;
    if (shape === undefined || count === 0) continue;
    byShape.set(shape, (byShape.get(shape) ?? 0) + count);
    all += count;
  }
  return IN_BAR.flatMap((shape) => {
    const count = byShape.get(shape);
    return count === undefined ? [] : [{ shape, count, share: count / all }];
  });
}

function partsOfJobs(jobs: Progress, paused: boolean): readonly Part[] {
  return segments(jobs, paused).map(({ shape, share }) => ({ shape, share, count: Math.round(share * jobs.total) }));
}
