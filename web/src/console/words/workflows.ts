/** Words of the stored workflows and of uploads. */

import { count, counted } from "./format.ts";

export const WORKFLOWS = {
  title: "Workflows",
  about:
    "Drop a workflow folder or a zip of it anywhere on this page, or choose its XML together with the files it names. It is kept, and run at once.",
  pickFolder: "Choose a folder…",
  pickFiles: "Choose files…",
  folder: "Workflow folder",
  files: "Workflow files",
  drop: "Drop the workflow here to run it",
  unreadable: "The browser could not read what was dropped.",
  uploading: (files: number) => `Uploading ${counted(files, "file")}…`,
  warned: (name: string, warnings: number) => `“${name}” runs, with ${counted(warnings, "warning")}.`,
  none: "No workflows yet",
  noneWords: "A workflow is an XML document with the code of its jobs. It stands here from its first upload on, with each of its versions.",
  command: "weevil upload workflows/pi",
  listCommand: "weevil workflows",
  gone: "No such workflow",
  goneWords: (name: string) => `Nothing is stored under the name “${name}” in this project.`,
  all: "All workflows",
  versions: (name: string) => `All versions of ${name}`,
  counts: (versions: number) => `${counted(versions, "version")}, the newest first`,
  graph: "Graph",
  graphLabel: (name: string, short: string) => `Graph of ${name}, version ${short}`,
  list: "Stored workflows",
  filter: "Filter workflows",
  noun: "workflow",
  /** What the list can be sorted by. */
  orders: { uploaded: "uploaded last", run: "run last", name: "name" },
  name: "Name",
  columns: {
    name: "Name",
    version: "Newest version",
    when: "Uploaded",
    size: "Files",
    last: "Last run",
    actions: "Run it",
  },
  peek: { version: "Version", when: "Uploaded", files: "Files", runs: "Runs", last: "Last run" },
  never: "never run",
  lastLabel: (name: string, short: string, state: string) => `Last run of ${name}, version ${short}: ${state}`,
  runs: "Runs",
  earlier: (versions: number) => counted(versions, "earlier version"),
  run: "Run",
  runLabel: (name: string, short: string) => `Run ${name}, version ${short}`,
  runWith: "Run with…",
  runWithLabel: (name: string, short: string) => `Run with… ${name}, version ${short}`,
  compare: {
    label: "Compare two versions",
    from: "Compare",
    to: "with",
    with: "Compare it with",
    /** An option of either. */
    version: (short: string, when: string) => `${short}, ${when}`,
    go: "Show what differs",
    before: (short: string) => `Compare ${short} with the version before it`,
  },
  fileTable: { title: "Files", table: "Files of this version", path: "Path", size: "Size" },
  lastRuns: "Last runs",
  allRuns: "All runs of this version",
  noRuns: "No run of this version yet.",
  edit: "Edit",
  editLabel: (name: string, short: string) => `Edit ${name}, version ${short}`,
  runsLabel: (name: string, short: string, runs: string) => `${runs} of ${name}, version ${short}`,
} as const;

/** Digits of a hash that people compare. */
export const SHORT = 12;

/** So many runs of a version are counted, and no more. */
const MAX_COUNTED = 100;

/** `counts`: the runs of each version. */
export function runsText(counts: readonly number[]): string {
  const all = counts.reduce((sum, runs) => sum + runs, 0);
  return counts.some((runs) => runs >= MAX_COUNTED) ? `${count(all)} runs or more` : counted(all, "run");
}

export const RUN_WITH = {
  title: (name: string) => `Run ${name} with…`,
  version: "version",
  inputs: "Run inputs",
  inputsWords: "Other values for value nodes, in this run only, each written as in the document.",
  node: "Node id",
  value: "Value",
  add: "Add a value",
  remove: "Remove this value",
  notA: (type: string) => `This is no ${type}.`,
  reuse: "Take stored results of equal jobs",
  reuseWords: "Jobs that give the same value every time are not computed again if the result of an equal job is stored.",
  run: "Run",
  starting: "Starting…",
  close: "Close",
} as const;
