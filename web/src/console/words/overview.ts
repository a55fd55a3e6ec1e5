/** Words of the overview. */

import { count, counted } from "./format.ts";

export const OVERVIEW = {
  title: "Overview",
  figures: {
    workers: "workers",
    slots: "slots busy",
    waiting: "jobs waiting",
    running: "jobs running",
    going: "runs going on",
  },
  busy: (busy: number, slots: number) => `${count(busy)} of ${count(slots)}`,
  attention: "What needs attention",
  calm: "Nothing does.",
  runs: "Runs",
  allRuns: "All runs",
  paused: (since: string) => `The queue is paused since ${since}: nothing is handed out.`,
  pausedCure: "Resume it on the queue’s page",
  stopped: (codes: number) =>
    `${counted(codes, "code")} ${codes === 1 ? "is" : "are"} stopped, since all jobs so far have failed wherever they ran.`,
  stoppedCure: "Look at them, and let them go, on the queue’s page",
  nobody: (jobs: number) => `${counted(jobs, "job")} ${jobs === 1 ? "waits" : "wait"}, and no worker is connected.`,
  nobodyCure: "Open the volunteer’s page, or send its address to others",
  failed: (name: string) => `The run “${name}” has failed.`,
  failedCure: "See at which node, and why",
  runPaused: (name: string) => `The run “${name}” is paused.`,
  runPausedCure: "Resume it on its page",
} as const;
