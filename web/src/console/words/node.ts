/** Words of one node of a run. */

import type { JobType } from "../../api/types.gen.ts";
import { count, counted } from "./format.ts";

const LANGUAGES: Readonly<Record<JobType, string>> = { javascript: "JavaScript", webcl: "WebCL", wasm: "WebAssembly" };

export const NODE = {
  label: (id: string) => `Node ${id}`,
  close: "Close",
  around: "Around it",
  back: "Back to the graph",
  facts: { kind: "Kind", type: "Type", path: "Path", jobs: "Jobs", result: "Result", code: "Code", needs: "Limits", policy: "Judged by" },
  isResult: "Its value is the result of the run.",
  unknown: "not kept",
  inputs: "What comes in",
  noInputs: "Nothing comes in: its value stands in the workflow.",
  waitsForNothing: "It has no ports.",
  port: (id: string) => `Port ${id}`,
  outputs: "Where its value goes",
  noOutputs: "Nowhere.",
  more: (all: number, listed: number) => `and ${count(all - listed)} more`,
  work: { job: "Job", processor: "Processor", reducer: "Reducer", value: "Value", pool: "Pool" },
  code: (source: string, language: string) => `${source}, ${language}`,
  languages: LANGUAGES,
  limits: (seconds: number, attempts: number, priority: number) =>
    `${counted(seconds, "second")} at most, ${counted(attempts, "attempt")}, priority ${count(priority)}`,
  openJob: "Open the job",
  openJobs: "Jobs of the run",
  noJob: "There is no job yet: it waits for its inputs.",
  processorJobs: "A job for each element, listed with the jobs of the run.",
  list: "Nodes of the run",
  filter: "Filter nodes",
  name: "Node",
  state: "State",
  kind: "Kind",
  any: "any",
  columns: { name: "Node", kind: "Kind", state: "State", jobs: "Jobs", path: "Path", why: "Reason" },
  valueOf: (id: string) => `The value of ${id}`,
  first: (shown: number, all: number) => `The first ${count(shown)} of ${counted(all, "node")}`,
  loaded: (loaded: number, all: number) =>
    loaded === all ? counted(all, "node") : `${count(all)} nodes, ${count(loaded)} of them loaded: the others come as you scroll`,
  noun: "node",
  noneWords: "Try a part of an id, or another state.",
  asPage: "Open as a page",
} as const;

/** What the nodes of a run may be sorted by, as the server calls it, and in words. */
export const NODE_SORTS = [
  { key: "place", name: "place in the document" },
  { key: "-place", name: "place, last first" },
  { key: "id", name: "name" },
  { key: "-id", name: "name, last first" },
] as const;
