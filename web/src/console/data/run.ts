/**
 * One run, live until it has ended: read whole at first and at its end, and kept up to date by the frames of its topic between them.
 * Never asks for anything but this run.
 */

import { type ReadonlySignal, computed, signal } from "@preact/signals";
import { getRun } from "../../api/client.ts";
import { STATES } from "../../api/nodestates.ts";
import type { NodeView, RunFrame, RunView } from "../../api/types.gen.ts";
import { deliver, newestRuns, overtake } from "../live/news.ts";
import { listenTo } from "../live/tab.ts";
import { cut, isHeld, isOver } from "../words/format.ts";

/** How long after one answer the run is asked for again, where frames do not say all. */
const READ_AGAIN_MS = 1000;

/** The run that somebody looks at, as it was told of last. */
export const newest = signal<RunView | undefined>(undefined);

/** Whether nothing of this run is handed out, as it was told of last. */
export function isPaused(run: string): ReadonlySignal<boolean> {
  return computed(() => {
    const summary = newest.value?.summary;
    return summary?.id === run && isHeld(summary);
  });
}

/** How a run is called; a part of its id where that has not been told. */
export function nameOfRun(id: string): string {
  const known = [newest.value?.summary, ...(newestRuns.value ?? [])].find((run) => run?.id === id);
  return known?.name ?? cut(id);
}

export function watchRun(id: string) {
  const view = signal<RunView | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  /** When it was told of last, in milliseconds since 1970. */
  const since = signal(0);
  const key = Symbol("run");
  let closed = false;
  let unfollow: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [readAt, doneAt] = [0, 0];
  /** What is known, shown or held back; frames are put on top of it. */
  let known: RunView | undefined;

  /** What comes after the end was on its way before it. */
  function show(now: RunView): void {
    if (closed) return;
    known = now;
    [view.value, newest.value, since.value] = [now, now, Date.now()];
    if (isOver(now.summary.state)) close();
  }
  function close(): void {
    closed = true;
    clearTimeout(timer);
    unfollow?.();
  }
  async function load(): Promise<void> {
    [problem.value, readAt] = [undefined, Date.now()];
    try {
      const now = await getRun(id);
      deliver(key, () => show(now));
      known = now;
    } catch (refused) {
      problem.value = refused;
      return;
    }
    if (!closed) unfollow ??= listenTo<RunFrame>(`run:${id}`, take);
  }
  function take(frame: RunFrame): void {
    if (closed || known === undefined) return;
    // A frame says neither the result nor the error that a run has ended with.
    if (isOver(frame.summary.state) || !saysAll(known, frame)) return loadSoon();
    const now = heeding(patched(known, frame), known, Date.now() - doneAt < READ_AGAIN_MS);
    known = now;
    deliver(key, () => show(now));
  }
  function loadSoon(): void {
    timer ??= setTimeout(loadAgain, Math.max(0, readAt + READ_AGAIN_MS - Date.now()));
  }

  /** An answer to something that was done. Somebody else may have undone it before the next frame: then no frame tells of either. */
  function answered(now: RunView): void {
    doneAt = Date.now();
    overtake(key);
    show(now);
    if (!closed) timer ??= setTimeout(loadAgain, READ_AGAIN_MS);
  }
  function loadAgain(): void {
    timer = undefined;
    void load();
  }

  void load();
  return { view, problem, since, load, show: answered, close };
}

export type WatchedRun = ReturnType<typeof watchRun>;

/** A frame that was on its way while something was done says how it was before. */
function heeding(now: RunView, known: RunView, isFresh: boolean): RunView {
  return isFresh ? { ...now, summary: { ...now.summary, paused: known.summary.paused } } : now;
}

/** Whether a frame tells all that has changed of what is shown. */
function saysAll(known: RunView, { overflow = [], leftOut = 0 }: RunFrame): boolean {
  const parts = overflow.some((part) => part === "states" || part === "pools");
  return !parts && leftOut === (known.leftOut ?? []).length;
}

/** A run with what a frame tells on top of it. */
export function patched(known: RunView, { summary, stats, nodes = [], pools = [] }: RunFrame): RunView {
  if (nodes.length === 0 && pools.length === 0) return { ...known, summary, stats };
  const now: NodeView[] = known.nodes.slice();
  const change = (place: number, part: Partial<NodeView>): void => {
    const node = now[place];
    if (node !== undefined) now[place] = { ...node, ...part };
  };
  for (const [place, code] of nodes) {
    const state = STATES[code];
    if (state !== undefined) change(place, { state });
  }
  for (const [place, total, queued, running, done, failed, answered, reused] of pools) {
    change(place, { jobs: { total, queued, running, done, failed, answered, reused } });
  }
  return { ...known, summary, stats, nodes: now };
}
