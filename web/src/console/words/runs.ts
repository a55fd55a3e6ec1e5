/** Words of the list of runs. */

import type { RunState } from "../../api/types.gen.ts";

export const RUNS = {
  title: "Runs",
  table: "Runs, newest first",
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
  /** What lists the same in a shell, where no name is looked for: the command knows no names. */
  listCommand: (state: RunState | null, workflow: string | null): string => {
    const inState = state === null ? "" : ` --state ${state.toLowerCase()}`;
    return `weevil runs${inState}${workflow === null ? "" : ` --workflow ${workflow}`}`;
  },
  nothingFits: "No run fits",
  nothingFitsWords: "No run is in this state whose name begins so, letter by letter, or whose id does.",
  filter: "Filter runs",
} as const;
