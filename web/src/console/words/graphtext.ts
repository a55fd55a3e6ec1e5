/** Words of graphs: of a run, and of a workflow. */

import type { NodeKind } from "../../api/types.gen.ts";
import { count, counted } from "./format.ts";
import type { Shape } from "./states.ts";

const KINDS: Readonly<Record<NodeKind, string>> = {
  value: "value",
  job: "job",
  pool: "pool",
  processor: "processor",
  reducer: "reducer",
};

const SHAPES: Readonly<Record<Shape, string>> = {
  waiting: "waiting",
  queued: "queued",
  held: "held",
  running: "running",
  finished: "finished",
  reused: "reused",
  failed: "failed",
  cancelled: "cancelled",
  paused: "paused",
  added: "added",
  removed: "removed",
  changed: "changed",
};

export const GRAPH = {
  kinds: KINDS,
  shapes: SHAPES,
  final: "result",
  stack: (nodes: number, of: string) => `${count(nodes)} × ${of}`,
  folded: "folded",
  jobs: (done: number, total: number) => `${count(done)} of ${counted(total, "job")}`,
  rate: (jobs: string) => `${jobs}/s`,
  layer: (layer: number, nodes: number) => `Layer ${count(layer + 1)}, ${counted(nodes, "node")}`,
  label: (nodes: number, layers: number) => `Graph of ${counted(nodes, "node")} in ${counted(layers, "layer")}`,
  tools: "Graph",
  find: "Find a node",
  nothing: (text: string) => `No node is called “${text}”.`,
  found: (id: string) => `Found ${id}.`,
  zoomIn: "Larger",
  zoomOut: "Smaller",
  fit: "Fit",
  follow: "Follow what runs",
  table: "Table",
  told: (name: string, note: string) => `${name}: ${note}`,
  andTime: (label: string, time: string) => `${label}, ${time}`,
  runsFor: (time: string) => `running for ${time}`,
  forTime: (label: string, time: string) => `${label} for ${time}`,
  ranFor: (time: string) => `ran for ${time}`,
  nextFailed: "Next failed",
  longest: "Longest running",
  noneRuns: "Nothing runs.",
  noFailed: "No node has failed.",
  noFailedKnown: "No node is known to have failed.",
  failedUnknown: "A node has failed, but the server does not say now which one it is.",
  keys: "Arrows walk along the edges, Shift and arrows move the picture, Page Up and Page Down by a screen, + and − zoom, 0 fits, Enter opens, t shows a table.",
  cut: (items: number, from: number, to: number) =>
    `${count(items)} more do not fit: this is the part from layer ${count(from + 1)} to layer ${count(to + 1)}.`,
  nextPart: "Next part",
  firstPart: "First part",
  near: (id: string) => `Around ${id}`,
  nearMore: "Further",
  all: "All of the graph",
  columns: { name: "Node", kind: "Kind", layer: "Layer", state: "State", time: "Time", from: "Comes from", to: "Goes to" },
  moreMembers: (first: string, shown: number) => `More of the stack of ${first}, ${count(shown)} shown`,
  none: "–",
} as const;
