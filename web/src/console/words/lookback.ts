/** Words of a run's jobs, log and timeline. */

import type { JobsFilter } from "../../api/client.ts";
import { count, counted, figure } from "./format.ts";
import { plural } from "./locale.ts";
import { quoted } from "./shell.ts";

export const JOBS = {
  filter: "Which jobs",
  state: "State",
  anyState: "any",
  node: "Node",
  failed: "Only those that went wrong",
  text: "Job, worker or error",
  columns: { worker: "Worker", error: "Error" },
  shown: (jobs: number, more: boolean) => `${counted(jobs, "job")} shown${more ? ", there are more" : ""}`,
  noun: "job",
  nothingWords: "No job of this run is so. Ask for other jobs, or clear the filter.",
  /** What lists the same in a shell; all of them where nothing is asked. */
  command: (run: string, { text, state, node, failed }: JobsFilter = { text: "", state: null, node: null, failed: false }): string =>
    [
      `weevil jobs ${run}`,
      ...(text === "" ? [] : [quoted(text)]),
      ...(state === null ? [] : [`--state ${state.toLowerCase()}`]),
      ...(node === null ? [] : [`--node ${quoted(node)}`]),
      ...(failed ? ["--failed"] : []),
    ].join(" "),
} as const;

export const LOG = {
  filter: "Which lines",
  text: "Line, node or worker",
  follow: "Follow",
  lines: (lines: number, more: boolean) => `${counted(lines, "line")} shown${more ? ", there are more" : ""}`,
  label: "What was logged",
  none: "Nothing was logged yet",
  noneWords: "What a job’s code writes with console.log stands here once its attempt has ended.",
  noun: "line",
  nothingWords: "No line that was read has this text in it.",
  attempt: (path: string, number: number) => `${path}, attempt ${count(number)}`,
  command: (run: string, follows: boolean) => `weevil logs ${run}${follows ? " -f" : ""}`,
} as const;

export const TIMELINE = {
  label:
    "Attempts over time. Arrows go from one to the next, Enter opens the job, plus and minus zoom, Shift with an arrow moves, 0 shows all.",
  by: "Rows",
  byWorker: "by worker",
  byNode: "by node",
  turnRows: "Rows by worker or by node",
  turnFace: "The timeline as a picture or as a table",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  whole: "Show all",
  as: "Shown as",
  picture: "Picture",
  table: "Table",
  rest: "all others",
  slot: (slot: number) => `slot ${count(slot)}`,
  noSlot: "–",
  mflops: "MFLOPS",
  busy: "busy",
  none: "No attempts in this time",
  noneWords: "A bar stands here for each time that a job was handed out.",
  shown: (attempts: number) => `${counted(attempts, "attempt")} in this time`,
  tooMany: "More attempts than can be shown: this is how busy each slot was. Zoom in for single attempts.",
  rowsStay: "Rows by node are made of single attempts, and here are too many of them: rows stay by worker until you zoom in.",
  bar: (path: string, state: string, took: string, began: string) => `${path}: ${state}, ${took}, from ${began}`,
  at: (moment: string, mflops: string, busy: string) => `At ${moment}: ${mflops} MFLOPS, ${busy} slots busy`,
  columns: {
    job: "Job",
    worker: "Worker",
    slot: "Slot",
    state: "State",
    began: "Began",
    took: "Took",
    share: "Busy",
    mflops: "Attained",
    slots: "Busy slots",
  },
  attained: (mflops: string) => `${mflops} MFLOPS`,
  slotsBusy: (slots: number) => `${figure(slots)} ${plural(slots, "slot", "slots")}`,
  overTime: "MFLOPS and busy slots over time",
  tableLabel: "Attempts in this time",
  lanesLabel: "How busy each slot was",
  keys: "w: rows by worker or by node. t: picture or table.",
  ends: {
    completed: "finished",
    error: "failed",
    expired: "expired",
    yielded: "given back",
    lost: "lost",
    cancelled: "cancelled",
  } as Readonly<Record<string, string>>,
  runs: "running",
} as const;

/** How an attempt has ended, in a word. */
export function endWord(end: string | null): string {
  return end === null ? TIMELINE.runs : (TIMELINE.ends[end] ?? end);
}
