/** The whole queue: asked for once, then as the stream tells it while somebody looks; the server counts once a second at most. */

import { signal } from "@preact/signals";
import { getQueue } from "../../api/client.ts";
import type { QueueFrame, QueueView } from "../../api/types.gen.ts";
import { deliver } from "../live/news.ts";
import { listenTo } from "../live/tab.ts";

/** What was counted before something was done may be told after it for so long. */
const COUNTED_MS = 2000;

export const queue = signal<QueueView | undefined>(undefined);
export const queueProblem = signal<unknown>(undefined);
/** When it was told, in milliseconds since 1970. */
export const queueSince = signal(0);

/** How often something was done. */
let done = 0;
let doneAt = 0;
let latest: QueueFrame | undefined;
/** Whether it is asked for again, some time after something was done. */
let again: ReturnType<typeof setTimeout> | undefined;

/** An answer to something that was done. */
export function showQueue(view: QueueView): void {
  done += 1;
  doneAt = Date.now();
  again ??= setTimeout(lookAgain, COUNTED_MS);
  show(view);
}

function show(view: QueueView): void {
  [queue.value, queueProblem.value, queueSince.value] = [view, undefined, Date.now()];
}

/** Keeps it up to date until the returned function is called. */
export function watchQueue(): () => void {
  void look();
  return listenTo<QueueFrame>("queue", take);
}

/** Which codes are stopped, and who has paused the queue with which note, a frame does not say. */
function take(frame: QueueFrame): void {
  const isPausedAnew = frame.pausedSince !== null && frame.pausedSince !== (queue.peek()?.pausedSince ?? null);
  if (isPausedAnew || frame.stopped !== (latest?.stopped ?? queue.peek()?.stopped?.length ?? 0)) void look();
  latest = frame;
  const known = queue.peek();
  if (known !== undefined) deliver("queue", () => show(merged(queue.peek() ?? known, frame)));
}

/** Somebody else may have undone it before the server has counted again: then no frame tells of either. */
function lookAgain(): void {
  again = undefined;
  void look();
}

function merged(known: QueueView, { ready, leased, delayed, held, answered, pausedSince }: QueueFrame): QueueView {
  const since = Date.now() - doneAt < COUNTED_MS ? known.pausedSince : pausedSince;
  const counts = { ready, leased, delayed, held, answered, pausedSince: since };
  if (since === known.pausedSince) return { ...known, ...counts };
  // Somebody has paused it anew, or let it go on: who and why is asked for.
  return { ...counts, ...(known.stopped !== undefined && { stopped: known.stopped }) };
}

/** An answer that was on its way while something was done says how it was before; frames that came meanwhile are newer as well. */
export async function look(): Promise<void> {
  const [before, frame] = [done, latest];
  try {
    const view = await getQueue();
    if (before === done) show(latest === undefined || latest === frame ? view : merged(view, latest));
  } catch (refused) {
    queueProblem.value = refused;
  }
}
