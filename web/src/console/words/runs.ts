/** Words of the list of runs. */

export const RUNS = {
  title: "Runs",
  table: "Runs, newest first",
  columns: { state: "State", name: "Name", progress: "Progress", when: "Started", id: "Id" },
  state: "State",
  all: "all",
  name: "Name",
  upload: "Run a workflow…",
  none: "No runs yet",
  noneWords: "A run is one computation of a workflow, from its values to its result. The first one appears here as soon as it is uploaded.",
  command: "weevil run workflows/pi",
  nothingFits: "No run fits",
  nothingFitsWords: "The filter leaves none of the runs that are listed.",
  filter: "Filter runs",
} as const;
