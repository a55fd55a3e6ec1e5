/** Words of the list of runs. */

import type { RunFilter } from "../data/runs.ts";
import { quoted } from "./shell.ts";

export const RUNS = {
  title: "Runs",
  table: "Runs",
  columns: { state: "State", name: "Name", progress: "Progress", when: "Started", id: "Id" },
  state: "State",
  all: "all",
  name: "Name or id",
  upload: "Run a workflow…",
  none: "No runs yet",
  noneWords: "A run is one computation of a workflow, from its values to its result. The first one appears here as soon as it is uploaded.",
  example: (name: string) => `Run the example ${name}`,
  otherExamples: "Other examples",
  runExample: "Run",
  command: "weevil run workflows/pi",
  /** What lists the same in a shell. */
  listCommand: ({ state, workflow, q, sort }: RunFilter): string =>
    [
      "weevil runs",
      ...(q === "" ? [] : [quoted(q)]),
      ...(state === null ? [] : [`--state ${state.toLowerCase()}`]),
      ...(workflow === null ? [] : [`--workflow ${workflow}`]),
      ...(sort === RUN_SORTS[0].key ? [] : [`--sort ${sort}`]),
    ].join(" "),
  noun: "run",
  nothingFitsWords: "No run is in this state whose name begins so, letter by letter, or whose id does.",
  filter: "Filter runs",
} as const;

/** What a list may be sorted by, as the server calls it, and in words. */
export const RUN_SORTS = [
  { key: "-created", name: "newest first" },
  { key: "created", name: "oldest first" },
  { key: "name", name: "name" },
] as const;
