/** Since when nodes run, and for how long they have: gathered from what is told of a run's attempts. Pure. */

import type { TimelineAttempt } from "../../api/types.gen.ts";

/** In milliseconds since 1970, by this browser's clock. */
export interface Span {
  readonly from: number;
  /** `undefined` while it runs. */
  readonly to: number | undefined;
}

/** By the ids of nodes. */
export type Times = ReadonlyMap<string, Span>;

export const NO_TIMES: Times = new Map();

/** Spans of ended nodes that are kept: more than a window of a graph shows, and no more however long somebody looks. */
export const MOST_ENDED = 10_000;

/** The path of a pool, from that of one of its elements, which have numbers. */
const ELEMENT = /^(.+)\/\d+\/[^/]+$/;

export class Stopwatch {
  /** Those that ended last come last. */
  private readonly ended = new Map<string, Span>();
  /** Their paths. */
  private readonly pools = new Set<string>();

  /**
   * What is told now of some time; `undefined` where that is too much. `ahead`: by how much this clock is ahead of the server's. A job's
   * time is its newest attempt's, a pool's begins with the first of its jobs.
   */
  note(attempts: readonly TimelineAttempt[] = [], ahead: number): Times {
    for (const { path } of attempts) this.pools.add(ELEMENT.exec(path)?.[1] ?? "");
    const running = new Map<string, number>();
    for (const { path, from, to } of attempts) {
      const pool = this.poolOf(path);
      const node = lastOf(pool ?? path);
      if (to !== null) this.end(node, { from: from + ahead, to: to + ahead }, pool !== undefined);
      else {
        const began = pool === undefined ? from + ahead : Math.min(from + ahead, this.ended.get(node)?.from ?? Infinity);
        running.set(node, Math.min(began, running.get(node) ?? Infinity));
      }
    }
    const known = new Map<string, Span>(this.ended);
    for (const [node, from] of running) known.set(node, { from, to: undefined });
    return known;
  }

  /** A reducer stands below its pool as well. */
  private poolOf(path: string): string | undefined {
    const above = ELEMENT.exec(path)?.[1] ?? path.slice(0, Math.max(0, path.lastIndexOf("/")));
    return this.pools.has(above) && above !== "" ? above : undefined;
  }

  private end(node: string, span: { readonly from: number; readonly to: number }, isPool: boolean): void {
    const before = this.ended.get(node);
    if (isPool) {
      this.keep(node, { from: Math.min(span.from, before?.from ?? span.from), to: Math.max(span.to, before?.to ?? span.to) });
    } else if (before === undefined || span.from >= before.from) this.keep(node, span);
  }

  private keep(node: string, span: Span): void {
    this.ended.delete(node);
    this.ended.set(node, span);
    const [oldest] = this.ended.keys();
    if (this.ended.size > MOST_ENDED && oldest !== undefined) this.ended.delete(oldest);
  }
}

/** The node that a path leads to. */
function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The nodes that run, those that do for longest first. */
export function longestFirst(times: Times): readonly string[] {
  const running = [...times].filter(([, { to }]) => to === undefined);
  return running.sort(([, one], [, other]) => one.from - other.from).map(([node]) => node);
}
