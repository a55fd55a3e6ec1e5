/** Words of what two versions of a workflow differ in. They come with that page, not with the first view of the console. */

import { counted } from "./format.ts";

export const DIFF = {
  title: "What differs",
  versions: "From {from} to {to}",
  same: "Both versions hold the same files.",
  files: "Files",
  state: { added: "added", removed: "removed", changed: "changed", same: "the same" },
  noText: {
    binary: "These files are no texts; their bytes differ.",
    tooLong: "A text of more than 4 MiB is not compared line by line; the bytes of these files differ.",
  },
  noGraph: "A workflow document cannot be read, or is longer than 4 MiB: nodes and edges are not compared.",
  columns: "Two columns",
  graph: "Nodes and edges",
  graphSame: "The same nodes and edges.",
  graphs: {
    fresh: {
      title: "What came and what changed, in the newer version",
      label: (nodes: number) => `Graph of the newer version, ${counted(nodes, "node")}`,
    },
    old: { title: "What went, in the older version", label: (nodes: number) => `Graph of the older version, ${counted(nodes, "node")}` },
  },
  edgesMarked: { added: "Thick lines are edges that came.", removed: "Thick broken lines are edges that went." },
  nodeSame: (id: string) => `${id} is the same in both versions.`,
  nodeOnce: (id: string, what: string, state: string) => `${id}: ${state}, ${what}`,
  nodeChanged: (id: string, before: string, now: string) => `${id}: before ${before}, now ${now}`,
  edge: (from: string, to: string, port: string) => `edge ${from} → ${to}${port === "" ? "" : `.${port}`}`,
  /** What a node or a part of it is, where it comes from and what it holds, in the signs of the editor. */
  part: (signature: string, source: string, value?: string) =>
    [signature, ...(source === "" ? [] : [`from ${source}`]), ...(value === undefined ? [] : [`= ${value}`])].join(" "),
  skipped: (lines: number) => `${counted(lines, "equal line")}`,
  cut: "The files differ in too many lines to compare them line by line: all of the old stands before all of the new.",
  old: "Old line",
  fresh: "New line",
  edit: "Edit",
} as const;
