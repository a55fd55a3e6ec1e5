/** Words of a run's page. */

import type { RunSummary } from "../../api/types.gen.ts";
import { counted } from "./format.ts";

export const RUN = {
  title: "Run",
  tabs: { "": "Overview", jobs: "Jobs", about: "About" },
  tabsLabel: "Parts of the run",
  again: "Run again",
  cancelled: "Jobs that wait are dropped, and volunteers are told to stop those that they compute. This cannot be undone.",
  figures: {
    jobs: "jobs computed",
    wall: "wall time",
    mflops: "MFLOPS",
    utilisation: "utilisation",
    median: "median job",
    workers: "workers",
    slots: "slots",
  },
  judgedBy: "Judged by",
  startedWith: "Started with the policy",
  nodes: "Nodes",
  ended: (name: string, state: string) => `The run “${name}” is ${state}.`,
  wasCancelled: "This run was cancelled",
  hadDone: (jobs: string) => `It had done ${jobs}. What was left is not computed any more.`,
  failedItself: "What went wrong with this run",
  failedAt: (node: string) => `Failed at node “${node}”`,
  attempts: (number: number) => counted(number, "attempt"),
  attempt: (number: number, worker: string, kind: string) => `Attempt ${number} on worker ${worker}: ${kind}`,
  certificate: "Certificate",
  certificateWords: "Who computed what, and on whose word it was believed: signed lines that weevil verify checks without this server.",
  downloadCertificate: "Download the certificate",
  noJobs: "No jobs yet",
  jobsCommand: (run: string) => `weevil jobs ${run}`,
  noJobsWords: "A job stands here as soon as its inputs are there.",
  about: { id: "Run", name: "Name", workflow: "Workflow", created: "Started", finished: "Ended", project: "Project", policy: "Policy" },
  sameWorkflow: "Other runs of it",
  goesOn: "not yet",
} as const;

const PAUSED = "Paused: nothing of it is handed out. What workers hold goes on.";
const INCOMPARABLE =
  "Paused by the server: known devices say three different things of several jobs of one code, so no two of them would ever agree. " +
  'Let the code give the same each time, with deterministic="true" and without a clock, and start it anew. Resumed, it goes on as it is.';
const AGREE_FAILED =
  "Paused by the server: a module of the workflow failed when it was asked about an answer. " +
  "Mend the module and start the run anew. Resumed, it goes on: answers that the module could not compare count as different.";

/** Who has paused a run, and what to do about it. */
export function pausedText({ pausedWhy, pausedWords }: Pick<RunSummary, "pausedWhy" | "pausedWords">): string {
  if (pausedWhy === "incomparable") return INCOMPARABLE;
  return pausedWhy === "agreeFailed" ? `${AGREE_FAILED} ${pausedWords ?? ""}`.trim() : PAUSED;
}
