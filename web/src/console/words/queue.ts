/** Words of the queue's pages. */

import type { JobsFilter } from "../../api/client.ts";
import { count, counted } from "./format.ts";
import { noted, pausedBegin } from "./parts.ts";
import { quoted } from "./shell.ts";

export const QUEUE = {
  title: "Queue",
  waiting: "waiting",
  running: "running",
  delayed: "delayed",
  held: "held",
  answered: "answered",
  overTime: "Over time",
  depth: "Depth",
  depthUnit: "jobs",
  paused: (since: string, by?: string, note?: string) =>
    `${pausedBegin(since, by)}: nothing is handed out. What workers hold goes on.${noted(note)}`,
  stopped: "Stopped, since all jobs so far have failed wherever they ran:",
  stoppedCode: "code {code} in queue {queue} since {since}, see {job}",
  failedJob: "a job that failed",
  letGo: "Let go",
  letGoLabel: (code: string, queue: string) => `Let code ${code} go in ${queue}`,
  classes: {
    title: "Waiting for a worker",
    about: "Jobs that are ready, by what a worker must have for them.",
    table: "What waits, by what it needs",
    needs: "Needs",
    jobs: "Jobs",
    oldest: "Oldest",
    workers: "Workers that meet it",
    why: "Reason",
    none: "Nothing waits for a worker.",
    filter: "Filter what waits by its needs",
    noun: "class",
    nouns: "classes",
    /** What a class needs, in words. */
    of: (capabilities: readonly string[], memoryMb: number, leftOut: readonly string[]): string => {
      const memory = memoryMb > 0 ? [`${count(memoryMb)} MiB of memory`] : [];
      const engines = leftOut.map((engine) => `not ${engine}`);
      return [...capabilities, ...memory, ...engines].join(", ");
    },
    meet: (workers: string, idle: string) => `${workers}, ${idle} idle`,
    nobody: (cure: string) => `None. ${cure}`.trim(),
  },
  names: {
    table: "Named queues",
    queue: "Queue",
    ready: "Waiting",
    delayed: "Delayed",
    held: "Held",
    oldest: "Oldest",
    project: "Project",
    filter: "Filter named queues",
    find: "Find",
    noun: "queue",
  },
  /** What either list can be sorted by. */
  orders: { jobs: "jobs, most first", oldest: "waiting longest", name: "name" },
  named: "Stand-alone jobs",
  namedWords: "Jobs that belong to no run stand in queues by name. Put one in with {command} or {request}.",
  field: "Queue",
  show: "Show",
  jobsTitle: (name: string) => `Jobs of ${name}`,
  jobsAbout: "Stand-alone jobs of one queue.",
  none: "No jobs here",
  noneWords: "A stand-alone job is one function and its input, without a workflow.",
  command: (queue: string) => `weevil submit job.js --queue ${quoted(queue)}`,
  queueCommand: "weevil queue",
  nothingFits: "No job of this queue is so. Ask for other jobs, or clear the filter.",
  listCommand: (queue: string, { text, state, failed }: Omit<JobsFilter, "node">, sort: string): string =>
    [
      `weevil jobs --queue ${quoted(queue)}`,
      ...(text === "" ? [] : [`--text ${quoted(text)}`]),
      ...(state === null ? [] : [`--state ${state.toLowerCase()}`]),
      ...(failed ? ["--failed"] : []),
      ...(sort === JOB_SORTS[0].key ? [] : [`--sort ${sort}`]),
    ].join(" "),
  table: "Jobs",
  columns: { job: "Job", state: "State", trouble: "Waits or error", tries: "Attempts", when: "Put in" },
  shown: (jobs: number, more: boolean) => `${counted(jobs, "job")} shown${more ? ", there are more" : ""}`,
} as const;

/** What the jobs of a queue may be sorted by, as the server calls it, and in words. */
export const JOB_SORTS = [
  { key: "created", name: "oldest first" },
  { key: "-created", name: "newest first" },
] as const;
