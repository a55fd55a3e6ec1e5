/** How the server has fared over a span, asked again as often as there are samples, while somebody can see it and holds nothing. */

import { signal } from "@preact/signals";
import { getSeries } from "../../api/client.ts";
import type { SeriesView } from "../../api/types.gen.ts";
import { whileVisible } from "../live/visible.ts";

/** What people choose among, with milliseconds from one sample to the next and all in all. */
export const SPANS = {
  "10m": { everyMs: 1000, wholeMs: 10 * 60_000 },
  "2h": { everyMs: 10_000, wholeMs: 2 * 3_600_000 },
  "7d": { everyMs: 300_000, wholeMs: 7 * 24 * 3_600_000 },
} as const;

export type Span = keyof typeof SPANS;

/** The one that an address names; the shortest where it names another. */
export function spanOf(text: string | null): Span {
  return text !== null && text in SPANS ? (text as Span) : "10m";
}

export function watchSeries(span: Span) {
  const view = signal<SeriesView | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  /** When it was asked, in milliseconds since 1970. */
  const since = signal(0);
  let closed = false;

  async function look(): Promise<void> {
    try {
      const answer = await getSeries(span);
      if (!closed) [view.value, problem.value, since.value] = [answer, undefined, Date.now()];
    } catch (refused) {
      if (!closed) problem.value = refused;
    }
  }
  const watch = whileVisible(SPANS[span].everyMs, look);
  const close = (): void => {
    closed = true;
    watch.stop();
  };
  return { view, problem, since, again: watch.now, close };
}
