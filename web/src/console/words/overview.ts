/** Words of the overview. */

import { count, counted } from "./format.ts";
import { plural } from "./locale.ts";
import { noted } from "./parts.ts";

export const OVERVIEW = {
  title: "Overview",
  tab: "WeevilScout console",
  overTime: "How it goes",
  charts: {
    mflops: { title: "Attained", unit: "MFLOPS" },
    jobs: { title: "Jobs done", unit: "jobs/s" },
    waiting: { title: "Queue", unit: "jobs wait" },
    errors: { title: "Errors", unit: "per thousand attempts" },
    utilisation: { title: "Utilisation", unit: "of the slots" },
    workers: { title: "Workers", unit: "connected" },
  },
  /** Why a chart is empty, and what to do. */
  nothing: {
    errors: ["No attempt has ended in this span.", "A run or a job that workers compute brings some."],
    utilisation: ["Nobody has lent a slot in this span.", "Open the volunteer’s page in a browser, and start it there."],
  },
  attention: "What needs attention",
  calm: "Nothing does.",
  runs: "Runs",
  allRuns: "All runs",
  /** `more`: there are more than anybody has counted. */
  going: (all: number, shown: number, more: boolean) =>
    `${more ? "More than " : ""}${counted(all, "run")} go on; the newest ${count(shown)} are listed.`,
  allGoing: "All that go on",
  paused: (since: string, by?: string, note?: string) =>
    `The queue is paused since ${since}${by === undefined ? "" : ` by ${by}`}: nothing is handed out.${noted(note)}`,
  pausedCure: "Resume it on the queue’s page",
  stopped: (codes: number) =>
    `${counted(codes, "code")} ${plural(codes, "is", "are")} stopped, since all jobs so far have failed wherever they ran.`,
  stoppedCure: "Look at them, and let them go, on the queue’s page",
  trouble: (why: string) => `The server cannot be given work: ${why}.`,
  troubleCure: "Read what helps, in the documentation",
  disk: (left: string) => `The server’s disk is nearly full: ${left} left. When it is full, nothing can be written any more.`,
  diskCure: "Make room, as the documentation says",
  diskWhy: {
    code: "diskNearlyFull",
    numbers: {},
    text: "The disk with the data folder has less room than the setting --least-room-mib asks for.",
    cure: "Keep runs for less long, remove what else is on that disk, or move the data folder to a larger one.",
  },
  nobody: (jobs: number) => `${counted(jobs, "job")} ${plural(jobs, "waits", "wait")}, and no worker is connected.`,
  nobodyCure: "Open the volunteer’s page, or send its address to others",
  unmet: (jobs: number, needs: string) =>
    `${counted(jobs, "job")} ${plural(jobs, "waits", "wait")}, and no connected worker has what ${plural(jobs, "it needs", "they need")}: ${needs}.`,
  unmetCure: "See what waits, and what a worker must have for it",
  failed: (name: string) => `The run “${name}” has failed.`,
  failedCure: "See at which node, and why",
  runPaused: (name: string) => `The run “${name}” is paused.`,
  runPausedCure: "Resume it on its page",
} as const;
