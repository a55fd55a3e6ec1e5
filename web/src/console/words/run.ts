/** Words of a run's page. */

import type { RunSummary } from "../../api/types.gen.ts";
import { clock, counted } from "./format.ts";
import { JUDGED_BY, STARTED_WITH } from "./jobtext.ts";
import { noted, pausedBegin } from "./parts.ts";

export const RUN = {
  title: "Run",
  tabs: { graph: "Graph", overview: "Overview", timeline: "Timeline", nodes: "Nodes", jobs: "Jobs", log: "Log", about: "About" },
  tabsLabel: "Parts of the run",
  again: "Run again",
  hold: "Hold still",
  print: "Print",
  printing: "The run is made ready for the printer.",
  cancelled: "Jobs that wait are dropped, and volunteers are told to stop those that they compute. This cannot be undone.",
  figures: {
    jobs: "jobs computed",
    wall: "wall time",
    left: "time left",
    mflops: "MFLOPS",
    utilisation: "utilisation",
    median: "median job",
    workers: "workers",
    slots: "slots",
  },
  judgedBy: JUDGED_BY,
  startedWith: STARTED_WITH,
  nodes: "Nodes",
  allNodes: "All nodes, by state and by name",
  ended: (name: string, state: string) => `The run “${name}” is ${state}.`,
  wasCancelled: "This run was cancelled",
  result: "Result",
  hadDone: (jobs: string) => `It had done ${jobs}. What was left is not computed any more.`,
  failedItself: "What went wrong with this run",
  failedJob: "Its job",
  failedAt: (node: string) => `Failed at node “${node}”`,
  attempts: (number: number) => counted(number, "attempt"),
  attempt: (number: number, worker: string, kind: string) => `Attempt ${number} on worker ${worker}: ${kind}`,
  profile: {
    title: "Over time",
    mflops: "Attained",
    mflopsUnit: "MFLOPS",
    busy: "Busy slots",
    busyUnit: "slots",
    notYet: ["No job of it has ended yet.", "The first one that does begins the line: open the volunteer’s page where nobody computes."],
    never: ["No job of it was computed.", "Stored results, or nothing at all, made up this run."],
    missing: "An earlier release has ended this run, and kept nothing of what it computed when.",
  },
  certificate: "Certificate",
  certificateWords: "Who computed what, and on whose word it was believed: signed lines that weevil verify checks without this server.",
  downloadCertificate: "Download the certificate",
  noJobs: "No jobs yet",
  noJobsWords: "A job stands here as soon as its inputs are there.",
  about: {
    id: "Run",
    name: "Name",
    workflow: "Workflow",
    created: "Started",
    finished: "Ended",
    project: "Project",
    policy: "Policy",
    origin: "Where it comes from",
    by: "Started by",
    byLocal: "somebody at the server’s own machine",
    byUnknown: "not kept by the release that started it",
    seed: "Seed of its numbers",
    reuse: "Stored results",
    given: "Inputs",
    nothingGiven: "all as the workflow says",
  },
  /** By the word of the server. */
  reuseWords: {
    never: "every job is computed",
    repeatable: "taken where the code gives the same each time",
    always: "taken for every equal job, also where its code draws random numbers",
  } as Readonly<Record<string, string>>,
  sameWorkflow: "Other runs of it",
  goesOn: "not yet",
  nodeTitle: (node: string, run: string) => `${node} in ${run}`,
} as const;

const PAUSED = "nothing of it is handed out. What workers hold goes on.";
const INCOMPARABLE =
  "Paused by the server: known devices say three different things of several jobs of one code, so no two of them would ever agree. " +
  'Let the code give the same each time, with deterministic="true" and without a clock, and start it anew. Resumed, it goes on as it is.';
const AGREE_FAILED =
  "Paused by the server: a module of the workflow failed when it was asked about an answer. " +
  "Mend the module and start the run anew. Resumed, it goes on: answers that the module could not compare count as different.";

/** Who has paused a run, since when and why, and what to do about it. */
export function pausedText(
  run: Pick<RunSummary, "pausedWhy" | "pausedWords" | "pausedSince" | "pausedBy" | "pausedNote">,
  now: number,
): string {
  const { pausedWhy, pausedWords = "", pausedSince, pausedBy, pausedNote } = run;
  if (pausedWhy === "incomparable") return INCOMPARABLE;
  if (pausedWhy === "agreeFailed") return `${AGREE_FAILED} ${pausedWords}`.trim();
  const since = pausedSince === undefined ? "Paused" : pausedBegin(clock(pausedSince, now), pausedBy);
  return `${since}: ${PAUSED}${noted(pausedNote)}`;
}
