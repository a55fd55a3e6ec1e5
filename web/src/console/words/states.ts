/** The shape and the word of each state. Pure: colours are those of theme.css, shapes those of icons.svg. */

import type { JobView, NodeState, RunState, RunSummary } from "../../api/types.gen.ts";

export type Shape =
  "waiting" | "queued" | "held" | "running" | "finished" | "reused" | "failed" | "cancelled" | "paused" | "added" | "removed" | "changed";

export interface Mark {
  readonly shape: Shape;
  readonly word: string;
  /** What it means, where the word alone does not say it. */
  readonly meaning: string;
}

const MARKS: Readonly<Record<NodeState, Mark>> = {
  STARTED: mark("running", "running"),
  PARAM_NOT_FULFILLED: mark("waiting", "waits for inputs"),
  PARAM_FULFILLED: mark("waiting", "has its inputs"),
  ENQUEUED: mark("queued", "queued"),
  RUNNING: mark("running", "running"),
  ANSWERED: mark("held", "answered", "An answer is there and waits to be believed"),
  FINISHED: mark("finished", "finished"),
  FAILED: mark("failed", "failed"),
  CANCELLED: mark("cancelled", "cancelled"),
};

const NODE_STARTED = mark("waiting", "not begun");
const HELD = mark("held", "held");

export function runMark({ state, paused }: Pick<RunSummary, "state" | "paused">): Mark {
  return paused && state === "STARTED" ? mark("paused", "paused") : MARKS[state];
}

/** `paused`: its run is, so that nothing of what is queued is handed out. */
export function nodeMark(state: NodeState, paused = false): Mark {
  if (state === "ENQUEUED" && paused) return HELD;
  return state === "STARTED" ? NODE_STARTED : MARKS[state];
}

export function jobMark({ state, waits, reused }: Pick<JobView, "state" | "waits" | "reused">): Mark {
  if (state === "FINISHED" && reused !== null) return mark("reused", "reused", "It took the stored result of an equal job");
  if (state !== "ENQUEUED") return nodeMark(state);
  if (waits === "delay") return mark("held", "delayed");
  return waits === "resume" || waits === "code" ? HELD : MARKS.ENQUEUED;
}

/** Every state of a run with its word, in the order in which people are shown them. */
export const RUN_STATES: readonly (readonly [RunState, string])[] = (["STARTED", "FINISHED", "FAILED", "CANCELLED"] as const).map(
  (state) => [state, MARKS[state].word],
);

function mark(shape: Shape, word: string, meaning = ""): Mark {
  return { shape, word, meaning };
}
