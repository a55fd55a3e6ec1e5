/** Words of the queue's pages. */

import { counted } from "./format.ts";

export const QUEUE = {
  title: "Queue",
  waiting: "waiting",
  running: "running",
  delayed: "delayed",
  held: "held",
  answered: "answered",
  paused: (since: string) => `Paused since ${since}: nothing is handed out. What workers hold goes on.`,
  stopped: "Stopped, since all jobs so far have failed wherever they ran:",
  code: "code",
  inQueue: "in queue",
  since: (moment: string) => `since ${moment}, see`,
  failedJob: "a job that failed",
  letGo: "Let go",
  letGoLabel: (code: string, queue: string) => `Let code ${code} go in ${queue}`,
  named: "Stand-alone jobs",
  namedWords: "Jobs that belong to no run stand in queues by name. Put one in with",
  or: "or",
  field: "Queue",
  show: "Show",
  jobsTitle: (name: string) => `Jobs of ${name}`,
  jobsAbout: "Stand-alone jobs of one queue, oldest first.",
  none: "No jobs here",
  noneWords: "A stand-alone job is one function and its input, without a workflow.",
  command: (queue: string) => `weevil submit job.js --queue ${queue}`,
  listCommand: (queue: string) => `weevil jobs --queue ${queue}`,
  table: "Jobs",
  columns: { job: "Job", state: "State", waits: "Waits", tries: "Attempts", when: "Put in" },
  shown: (jobs: number, more: boolean) => `${counted(jobs, "job")} shown${more ? ", there are more" : ""}`,
} as const;
