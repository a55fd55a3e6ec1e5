/** What needs somebody, as sentences with a cure each. Pure. */

import type { FleetSums, QueueView, ReasonView, RunSummary, WaitingClassView } from "../../../api/types.gen.ts";
import { DOCS, QUEUE, runAddress, runPartAddress } from "../../app/routes.ts";
import { clock, size } from "../../words/format.ts";
import { needsOf } from "../../words/needs.ts";
import { OVERVIEW } from "../../words/overview.ts";
import type { Shape } from "../../words/states.ts";

export interface Need {
  readonly id: string;
  readonly shape: Shape;
  readonly text: string;
  readonly cure: string;
  /** Where the cure is. */
  readonly address: string;
  /** Whom the server is asked about for its reasons. */
  readonly why: Subject;
}

export type Subject =
  | { readonly kind: "queue" }
  | { readonly kind: "run"; readonly id: string }
  | { readonly kind: "jobs"; readonly ids: readonly string[] }
  /** The server has told them already. */
  | { readonly kind: "told"; readonly reasons: readonly ReasonView[] };

/** Runs that have failed longer ago need nobody any more. */
const FAILED_LATELY_MS = 24 * 60 * 60 * 1000;
/** So many runs at most, so that the rest stays in sight. */
const RUNS_SHOWN = 5;
/** Codes that are asked about. */
const CODES_ASKED = 5;
const VOLUNTEERS = "/";
const OPERATIONS = `${DOCS}operations.html`;
const DISK = `${OPERATIONS}#a-disk-that-is-nearly-full`;

interface Known {
  readonly queue: QueueView | undefined;
  readonly fleet: FleetSums | undefined;
  /** What waits, by what a worker must have for it. */
  readonly classes?: readonly WaitingClassView[] | undefined;
  /** Why the server cannot be given work. */
  readonly trouble?: string | undefined;
  /** Bytes, where they are few. */
  readonly diskLeft?: number | undefined;
  readonly runs: readonly RunSummary[];
}

const OF_QUEUE: Subject = { kind: "queue" };

export function needs({ queue, fleet, classes = [], trouble, diskLeft, runs }: Known, now: number): readonly Need[] {
  const all: Need[] = [];
  if (trouble !== undefined) {
    const text = OVERVIEW.trouble(trouble);
    all.push({ id: "trouble", shape: "failed", text, cure: OVERVIEW.troubleCure, address: OPERATIONS, why: OF_QUEUE });
  }
  if (queue !== undefined) all.push(...ofQueue(queue, now));
  if (diskLeft !== undefined) {
    const why = { kind: "told", reasons: [OVERVIEW.diskWhy] } as const;
    all.push({ id: "disk", shape: "paused", text: OVERVIEW.disk(size(diskLeft)), cure: OVERVIEW.diskCure, address: DISK, why });
  }
  const waiting = queue?.ready ?? 0;
  if (waiting > 0 && fleet?.workers === 0) {
    const text = OVERVIEW.nobody(waiting);
    all.push({ id: "nobody", shape: "paused", text, cure: OVERVIEW.nobodyCure, address: VOLUNTEERS, why: OF_QUEUE });
  }
  if (waiting > 0 && (fleet?.workers ?? 0) > 0) all.push(...classes.filter(({ workers }) => workers === 0).map(ofClass));
  return [...all, ...runs.flatMap((run) => ofRun(run, now)).slice(0, RUNS_SHOWN)];
}

function ofQueue({ pausedSince, pausedBy, pausedNote, stopped = [] }: QueueView, now: number): readonly Need[] {
  const all: Need[] = [];
  if (pausedSince !== null) {
    const text = OVERVIEW.paused(clock(pausedSince, now), pausedBy, pausedNote);
    all.push({ id: "paused", shape: "paused", text, cure: OVERVIEW.pausedCure, address: QUEUE, why: OF_QUEUE });
  }
  if (stopped.length > 0) {
    const text = OVERVIEW.stopped(stopped.length);
    const why: Subject = { kind: "jobs", ids: stopped.slice(0, CODES_ASKED).map(({ example }) => example) };
    all.push({ id: "stopped", shape: "failed", text, cure: OVERVIEW.stoppedCure, address: QUEUE, why });
  }
  return all;
}

/** Somebody is connected, and nobody who could compute these. */
function ofClass(row: WaitingClassView): Need {
  const name = needsOf(row);
  const why = { kind: "told", reasons: row.why } as const;
  const text = OVERVIEW.unmet(row.jobs, name);
  return { id: `unmet ${name}`, shape: "paused", text, cure: OVERVIEW.unmetCure, address: QUEUE, why };
}

function ofRun({ id, name, state, paused, finishedAt }: RunSummary, now: number): readonly Need[] {
  const why = { kind: "run", id } as const;
  if (state === "FAILED" && finishedAt !== null && now - finishedAt < FAILED_LATELY_MS) {
    return [{ id, shape: "failed", text: OVERVIEW.failed(name), cure: OVERVIEW.failedCure, address: runPartAddress(id, "overview"), why }];
  }
  if (state === "STARTED" && paused) {
    return [{ id, shape: "paused", text: OVERVIEW.runPaused(name), cure: OVERVIEW.runPausedCure, address: runAddress(id), why }];
  }
  return [];
}
