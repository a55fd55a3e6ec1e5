/** What needs somebody, as sentences with a cure each. Pure. */

import type { Fleet, QueueView, RunSummary } from "../../../api/types.gen.ts";
import { QUEUE, runAddress } from "../../app/routes.ts";
import { clock } from "../../words/format.ts";
import { OVERVIEW } from "../../words/overview.ts";
import type { Shape } from "../../words/states.ts";

export interface Need {
  readonly id: string;
  readonly shape: Shape;
  readonly text: string;
  readonly cure: string;
  /** Where the cure is. */
  readonly address: string;
}

/** Runs that have failed longer ago need nobody any more. */
const FAILED_LATELY_MS = 24 * 60 * 60 * 1000;
/** So many runs at most, so that the rest stays in sight. */
const RUNS_SHOWN = 5;
const VOLUNTEERS = "/";

interface Known {
  readonly queue: QueueView | undefined;
  readonly fleet: Fleet | undefined;
  readonly runs: readonly RunSummary[];
}

export function needs({ queue, fleet, runs }: Known, now: number): readonly Need[] {
  const all: Need[] = [];
  if (queue !== undefined) all.push(...ofQueue(queue, now));
  const waiting = queue?.ready ?? 0;
  if (waiting > 0 && fleet?.workers.length === 0) {
    all.push({ id: "nobody", shape: "paused", text: OVERVIEW.nobody(waiting), cure: OVERVIEW.nobodyCure, address: VOLUNTEERS });
  }
  return [...all, ...runs.flatMap((run) => ofRun(run, now)).slice(0, RUNS_SHOWN)];
}

function ofQueue({ pausedSince, stopped = [] }: QueueView, now: number): readonly Need[] {
  const all: Need[] = [];
  if (pausedSince !== null) {
    const text = OVERVIEW.paused(clock(pausedSince, now));
    all.push({ id: "paused", shape: "paused", text, cure: OVERVIEW.pausedCure, address: QUEUE });
  }
  if (stopped.length > 0) {
    all.push({ id: "stopped", shape: "failed", text: OVERVIEW.stopped(stopped.length), cure: OVERVIEW.stoppedCure, address: QUEUE });
  }
  return all;
}

function ofRun({ id, name, state, paused, finishedAt }: RunSummary, now: number): readonly Need[] {
  const address = runAddress(id);
  if (state === "FAILED" && finishedAt !== null && now - finishedAt < FAILED_LATELY_MS) {
    return [{ id, shape: "failed", text: OVERVIEW.failed(name), cure: OVERVIEW.failedCure, address }];
  }
  if (state === "STARTED" && paused) {
    return [{ id, shape: "paused", text: OVERVIEW.runPaused(name), cure: OVERVIEW.runPausedCure, address }];
  }
  return [];
}
