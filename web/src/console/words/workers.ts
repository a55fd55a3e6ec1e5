/** Words of the workers' pages. */

import type { WorkerDoing, WorkerView } from "../../api/types.gen.ts";
import type { WorkerQuery } from "../../api/workers.ts";
import { clock, count, counted, percent } from "./format.ts";
import { noted } from "./parts.ts";
import { quoted } from "./shell.ts";
import type { Mark, Shape } from "./states.ts";

export const WORKERS = {
  title: "Workers",
  about: "A worker is a browser, or another program, that computes: most are tabs in which the volunteer’s page is open.",
  none: "No worker is connected",
  noneWords:
    "Each browser in which the volunteer’s page is open and started stands here, with what it does. The command runs a workflow without any of them.",
  noneGone: "No worker has left",
  noneGoneWords: "Workers that were given something stand here once they have left, as long as they are kept.",
  open: "Open the volunteer’s page",
  /** What needs none of them: a headless browser on the same machine computes. */
  command: "weevil run workflows/pi --local",
  /** What lists the same in a shell. */
  listCommand: ({ q, state, sort }: WorkerQuery): string =>
    [
      "weevil workers",
      ...(q === "" ? [] : [quoted(q)]),
      ...(state === "gone" ? ["--gone"] : sort === SORTS[0].key ? [] : [`--sort ${sort}`]),
    ].join(" "),
  filter: "Filter workers",
  name: "Browser, GPU, device or id",
  state: "Show",
  states: { connected: "connected", gone: "those that left" },
  table: "Workers",
  columns: {
    agent: "Worker",
    doing: "Does",
    device: "Device",
    adapter: "GPU",
    slots: "Busy",
    mflops: "MFLOPS",
    done: "Done",
    errors: "Errors",
    expired: "Expired",
    since: "Connected",
    heard: "Heard",
    why: "Reason",
  },
  busy: (busy: number, slots: number) => `${count(busy)} of ${count(slots)}`,
  keyless: "no key",
  noun: "worker",
  sums: { workers: "workers", slots: "slots busy", mflops: "MFLOPS", doing: "What they do", browsers: "Browsers", abilities: "Abilities" },
} as const;

/** What a list may be sorted by, as the server calls it, and in words. */
export const SORTS = [
  { key: "connected", name: "connected longest" },
  { key: "-connected", name: "connected last" },
  { key: "-busy", name: "busy slots, most first" },
  { key: "-slots", name: "slots, most first" },
  { key: "-mflops", name: "MFLOPS, most first" },
  { key: "-done", name: "done, most first" },
  { key: "-errors", name: "errors, most first" },
  { key: "-expired", name: "expired, most first" },
  { key: "heard", name: "heard of longest ago" },
  { key: "agent", name: "name" },
] as const;

export const WORKER = {
  figures: { slots: "slots busy", mflops: "MFLOPS now", done: "done", errors: "errors", expired: "expired", held: "holds" },
  facts: {
    id: "Worker",
    device: "Device",
    adapter: "GPU",
    abilities: "Abilities",
    capacity: "Takes",
    duty: "Computes",
    memory: "Memory for a job",
    rank: "Its answers",
    connected: "Connected",
    heard: "Last heard",
    runs: "Runs it serves",
  },
  keyless: "no key: nothing of it is known again once it has left",
  noAdapter: "lends none",
  memory: (mebibytes: number) => (mebibytes === 0 ? "it does not say" : `${count(mebibytes)} MiB`),
  capacity: (jobs: number) => (jobs === 0 ? "nothing for now, as it said" : `up to ${counted(jobs, "job")} at a time, as it said`),
  duty: (share: number | undefined) =>
    share === undefined ? "all of the time, as far as it says" : `${percent(share / 100)} of the time, as it said`,
  rests: (until: string) => `It gets no judged jobs until ${until}: an answer of its device differed.`,
  left: "It has left. What stands here is how it was when it was last heard.",
  away: "It lends no slot for now: it has paused by itself, or its owner has stopped it.",
  paused: (until: string, note: string) => `Paused until ${until}: it is given nothing, and finishes what it holds.${noted(note)}`,
  banned: (note: string) => `Its device is banned: it is sent away whenever it comes.${noted(note)}`,
  noRuns: "none",
  history: "What it was handed",
  historyTable: "Attempts, the newest first",
  noun: "attempt",
  onlyErrors: "Only errors",
  columns: { job: "Job", end: "End", began: "Handed out", took: "Took", inside: "In the code", error: "Error" },
  nothing: "Nothing yet",
  nothingWords: "Each job that it is handed stands here, with how that ended.",
  filter: "Which attempts",
  text: "Job or error",
  nothingFits: "Nothing that this worker was handed is so. Ask for something else, or clear the filter.",
  unknownJob: "a job of another project",
  pause: "Pause…",
  resume: "Resume",
  resuming: "Resuming…",
  ban: "Ban the device…",
  sendAway: "Send away…",
  cannotBan: "Cannot be banned: it has no device key",
  pausing: {
    title: "Pause this worker?",
    means: "It is given nothing, and finishes what it holds. Every other worker of its device is paused with it.",
    noteHint: "For people in charge; no worker is told it.",
    end: "For",
    submit: "Pause",
    busy: "Pausing…",
  },
  sending: {
    title: "Send this worker away?",
    means: "It leaves now, and may come again. What it holds returns to the queue, and counts against nobody.",
    submit: "Send away",
    busy: "Sending away…",
  },
  banning: {
    title: "Ban this device?",
    means: "Every worker of it is sent away, now and later. What it holds returns to the queue, and counts against nobody.",
    submit: "Ban the device",
    busy: "Banning…",
  },
} as const;

/** Minutes of a pause; the server allows 30 days at most. */
export const PAUSES: readonly (readonly [string, string])[] = [
  ["15", "15 minutes"],
  ["60", "1 hour"],
  ["480", "8 hours"],
  ["1440", "1 day"],
  ["10080", "7 days"],
  ["43200", "30 days"],
];
export const USUAL_PAUSE = "60";

const DOING: Readonly<Record<WorkerDoing, readonly [Shape, string]>> = {
  paused: ["paused", "paused"],
  computing: ["running", "computing"],
  resting: ["held", "resting"],
  away: ["waiting", "lends nothing"],
  idle: ["queued", "idle"],
};

type Told = Pick<WorkerView, "busy" | "slots" | "heldBack" | "restsUntil" | "gone">;

/** What a worker does, as the server counts it. */
export function workerMark({ busy, slots, heldBack, restsUntil, gone }: Told): Mark {
  const make = (shape: Shape, word: string): Mark => ({ shape, word, meaning: "" });
  if (heldBack?.banned === true) return make("failed", "banned");
  if (gone === true) return make("cancelled", "left");
  const doing = heldBack ? "paused" : busy > 0 ? "computing" : restsUntil !== undefined ? "resting" : slots === 0 ? "away" : "idle";
  return make(...DOING[doing]);
}

/** `computing 12, idle 3`: the most first. */
export function doingText(doing: { readonly [key in WorkerDoing]?: number }): string {
  return sumsText(Object.fromEntries(Object.entries(doing).map(([name, number]) => [DOING[name as WorkerDoing][1], number])));
}

/** `Chrome 12, Firefox 3`: the most first. */
export function sumsText(sums: Readonly<Record<string, number>>): string {
  const all = Object.entries(sums).sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
  return all.map(([name, number]) => `${name} ${count(number)}`).join(", ");
}

/** What is said of one above its figures; empty where there is nothing to say. */
export function workerText(worker: WorkerView, now: number): readonly string[] {
  const { heldBack, restsUntil, gone, slots } = worker;
  return [
    gone === true && WORKER.left,
    heldBack !== undefined &&
      (heldBack.pausedUntil === null ? WORKER.banned(heldBack.note) : WORKER.paused(clock(heldBack.pausedUntil, now), heldBack.note)),
    restsUntil !== undefined && WORKER.rests(clock(restsUntil, now, true)),
    gone !== true && slots === 0 && WORKER.away,
  ].filter((text) => text !== false);
}

/** `2 workers shown, there are more`. */
export function shownText(workers: number, more: boolean): string {
  return `${counted(workers, "worker")} shown${more ? ", there are more" : ""}`;
}
