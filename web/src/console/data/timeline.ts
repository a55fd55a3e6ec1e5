/** Who did what of a run when, for the time that is shown: asked anew while the run goes on and somebody can see it. */

import { signal } from "@preact/signals";
import { readRunTimeline } from "../../api/client.ts";
import type { TimelineView } from "../../api/types.gen.ts";
import { whileVisible } from "../live/visible.ts";

const EVERY_MS = 3000;
/** Nothing is asked while somebody still zooms. */
const SETTLED_MS = 200;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** `isOver`: nothing changes any more. */
export function watchTimeline(run: string, isOver: () => boolean) {
  const view = signal<TimelineView | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  /** When it was asked, in milliseconds since 1970. */
  const since = signal(0);
  let wanted: Span | undefined;
  let known: Span | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  async function look(): Promise<void> {
    const asked = wanted;
    const done = isOver();
    try {
      const found = await readRunTimeline(run, asked);
      if (closed) return;
      [view.value, problem.value, since.value, known] = [found, undefined, Date.now(), asked];
      if (done && asked === wanted) watch.stop();
    } catch (refused) {
      if (!closed) problem.value = refused;
    }
  }
  let watch = whileVisible(EVERY_MS, look);

  /** Asks for this time, `undefined` for all of it, unless what is known has every attempt of it already. */
  function want(span: Span | undefined): void {
    wanted = span;
    clearTimeout(settling);
    const all =
      view.value?.attempts !== null && (known === undefined || (span !== undefined && known.from <= span.from && span.to <= known.to));
    if (all && view.value !== undefined) return;
    settling = setTimeout(again, SETTLED_MS);
  }
  function again(): void {
    watch.stop();
    watch = whileVisible(EVERY_MS, look);
  }
  function close(): void {
    closed = true;
    clearTimeout(settling);
    watch.stop();
  }
  return { view, problem, since, want, again, close };
}
