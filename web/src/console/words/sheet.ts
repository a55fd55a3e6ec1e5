/** Words of a run's sheet of paper. */

import { count, counted } from "./format.ts";

export const SHEET = {
  graph: "Graph",
  result: "Result",
  printed: (moment: string, server: string) => `Printed ${moment} from ${server}`,
  first: (shown: number, all: number) => `The first ${count(shown)} of ${counted(all, "node")}.`,
  goesOn: "The run goes on: this is how it stood when it was printed.",
} as const;
