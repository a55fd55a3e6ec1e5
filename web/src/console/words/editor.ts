/** Words of the editor of workflows, of drafts, and of what two versions differ in. */

import { counted } from "./format.ts";

export const EDITOR = {
  title: (name: string) => `Edit ${name}`,
  /** Behind the name of the workflow. */
  path: "Edit",
  saved: "As saved",
  draft: "Draft, not saved",
  fresh: "New, not saved",
  save: "Save version",
  saving: "Saving…",
  run: "Run",
  starting: "Starting…",
  runWith: "Run with…",
  back: "Back to the saved version",
  backFresh: "Begin anew",
  backQuestion: {
    title: "Throw the draft away?",
    means: "What was written since the last saved version is lost.",
    no: "Keep the draft",
    yes: "Throw it away",
  },
  files: "Files",
  text: (path: string) => `Text of ${path}`,
  noText: {
    binary: (path: string) => `${path} is no text that can be edited here. It is kept as it is.`,
    tooLong: (path: string) => `${path} is longer than 4 MiB, which is too long to be edited here. It is kept as it is.`,
  },
  add: "New file",
  addLabel: "Path of the new file",
  addDo: "Add",
  taken: "There is such a file already.",
  rename: "Rename",
  renameLabel: (path: string) => `New path of ${path}`,
  remove: "Remove",
  removeLabel: (path: string) => `Remove ${path}`,
  renameFileLabel: (path: string) => `Rename ${path}`,
  problems: "Problems",
  checking: "Checking…",
  none: "No problems found.",
  notHere: (files: readonly string[]) => `Only the server looks at ${files.join(", ")}.`,
  restarted: "The checker failed at this text and was started again. The server checks it when it is saved or run.",
  found: (errors: number, warnings: number) => `${counted(errors, "error")}, ${counted(warnings, "warning")}`,
  outline: "Outline",
  preview: "Preview",
  previewLabel: (nodes: number) => `Graph of ${counted(nodes, "node")} as it is written`,
  previewCut: (items: number) => `${counted(items, "more item")} are not drawn.`,
  asList: "List",
  fit: "Fit",
  mistaken: "has a mistake",
  outlineNone: "No nodes yet.",
  layer: (number: number) => `Layer ${number}`,
  stack: (count: number, id: string) => `${counted(count, "node")} as ${id}`,
  cut: (items: number) => `${counted(items, "more item")} are not listed.`,
  isFinal: "result",
  renameNode: (id: string) => `Another name for ${id}`,
  renameDo: "Rename all uses",
  renameNo: "Leave it",
  keys: "Ctrl Enter runs, Ctrl S saves, Ctrl Space completes, F12 goes to what is named, F2 renames a node, F8 goes to the next problem.",
  gone: "Loading the files…",
} as const;

/** What buttons say that change the text as a diagnostic's help names it. */
export const CURES = {
  write: (text: string) => `Write ${text}`,
  insert: (text: string) => `Insert ${text}`,
  add: (attribute: string) => `Add ${attribute}`,
  remove: (text: string) => `Delete ${text}`,
  removeIt: "Delete it",
} as const;

export const NEW_WORKFLOW = {
  open: "New workflow…",
  title: "New workflow",
  name: "Name",
  start: "Begin with",
  empty: "an empty one",
  emptyWords: "A value and a job that doubles it.",
  go: "Edit it",
  close: "Close",
} as const;

export const DRAFTS = {
  title: "Drafts in this browser",
  edit: "Edit",
  editLabel: (name: string) => `Edit the draft of ${name}`,
  forget: "Throw away",
  forgetLabel: (name: string) => `Throw the draft of ${name} away`,
} as const;

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
  node: (element: string, id: string) => `${element} ${id}`,
  edge: (from: string, to: string, port: string) => `edge ${from} → ${to}${port === "" ? "" : `.${port}`}`,
  skipped: (lines: number) => `${counted(lines, "equal line")}`,
  cut: "The files differ in too many lines to compare them line by line: all of the old stands before all of the new.",
  old: "Old line",
  fresh: "New line",
  edit: "Edit",
  compare: "Compare",
  compareLabel: (short: string) => `Compare ${short} with the version before it`,
} as const;
