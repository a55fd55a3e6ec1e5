/**
 * Since when the nodes of a run have run, and for how long: one question for all of them, asked again while the run goes on and somebody
 * can see it. Where a run has more attempts than the server tells at once, what runs now is known, and what ended last while
 * somebody looked.
 */

import { type ReadonlySignal, signal } from "@preact/signals";
import { readRunTimeline } from "../../api/client.ts";
import { Refusal } from "../../api/request.ts";
import { NO_TIMES, Stopwatch, type Times } from "../graph/times.ts";
import { whileVisible } from "../live/visible.ts";

const EVERY_MS = 5000;

export interface WatchedTimes {
  readonly times: ReadonlySignal<Times>;
  /** Now: the run has ended. */
  readonly again: () => void;
  readonly close: () => void;
}

/** `isOver`: nothing changes any more. */
export function watchTimes(run: string, isOver: () => boolean): WatchedTimes {
  const times = signal<Times>(NO_TIMES);
  const stopwatch = new Stopwatch();
  let since: number | undefined;
  let closed = false;

  async function look(): Promise<void> {
    const done = isOver();
    try {
      const { attempts, to } = await readRunTimeline(run, since === undefined ? undefined : { from: since });
      if (closed) return;
      // What has ended by then is known; of what runs the answer always tells.
      since = to;
      times.value = stopwatch.note(attempts ?? undefined, done ? 0 : Date.now() - to);
      if (done) watch.stop();
    } catch (refused) {
      // They stay as they were: the graph says what it knows.
      if (!(refused instanceof Refusal)) throw refused;
    }
  }
  const watch = whileVisible(EVERY_MS, look);
  const close = (): void => {
    closed = true;
    watch.stop();
  };
  return { times, again: watch.now, close };
}
