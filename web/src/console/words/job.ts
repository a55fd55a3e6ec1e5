/** Words of a job's page. */

import { count } from "./format.ts";

export const JOB = {
  title: "Job",
  cancelled: "It is not handed out any more, and the volunteer who computes it is told to stop. This cannot be undone.",
  figures: { waited: "waited", ran: "ran", failures: "failed attempts", out: "times handed out", put: "put in", ended: "ended" },
  failures: (failures: number, most: number) => `${count(failures)} of ${count(most)}`,
  judgedBy: "Judged by",
  reused: "It took the stored result of",
  equalJob: "an equal job",
  ofRun: "of a run",
  node: (id: string) => `node ${id}`,
  inQueue: "in queue",
  allOfQueue: "All jobs of the queue",
  allOfRun: "All jobs of the run",
  attempts: "Attempts",
  code: "Code",
  codeFacts: { file: "File", hash: "Hash", seed: "Seed", returns: "Must return", timeout: "Time for an attempt", workflow: "Workflow" },
  showCode: "Show the code",
  replay: "Once more on your own machine, with the same input and seed:",
  replayCommand: (job: string) => `weevil replay ${job}`,
  module: "This is a WebAssembly module.",
  attempt: (number: number) => `Attempt ${number}`,
  progress: (number: number) => `Progress of attempt ${number}`,
  log: "Log",
  answeredBy: "Answered by",
  server: "this server, which checked it",
  keyless: (engine: string) => `a worker without a device key (${engine})`,
  device: "device",
  value: "value",
  error: "error",
} as const;
