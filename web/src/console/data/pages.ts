/**
 * A list that is read page by page, and whose shown part stays up to date while it can be seen.
 *
 * Owns asking for it. What is listed, and where it comes from, says the caller.
 */

import { signal } from "@preact/signals";
import { whileVisible } from "../live/visible.ts";

/** Entries that one press of the button brings, unless the caller says otherwise. */
const PAGE = 100;
/** The server's pages are no longer; entries beyond stay as they were read. */
const MOST = 1000;
const EVERY_MS = 5000;

export interface Part<T> {
  readonly rows: readonly T[];
  /** What the next page begins behind; `null`: there is none. */
  readonly next: string | null;
}

export type Read<T> = (after: string | null, limit: number) => Promise<Part<T>>;

/** Pages without an entry that are read in a row before somebody is told that there may be more. */
const MOST_LOOKS = 20;

/** Where the server looks through a list, a page may hold none of those that are meant: the next ones are read at once. */
export function lookThrough<T>(read: Read<T>): Read<T> {
  return async (after, limit) => {
    let part = await read(after, limit);
    for (let looks = 1; part.rows.length === 0 && part.next !== null && looks < MOST_LOOKS; looks++) part = await read(part.next, limit);
    return part;
  };
}

export function makePages<T>(read: Read<T>, keyOf: (row: T) => string, page = PAGE) {
  const rows = signal<readonly T[] | undefined>(undefined);
  const next = signal<string | null>(null);
  const busy = signal(false);
  const problem = signal<unknown>(undefined);
  /** When it was asked, in milliseconds since 1970. */
  const since = signal(0);
  /** The last press brought no row: its mark lies behind that of what was read first, and no row tells so. */
  let isBeyond = false;
  let closed = false;

  function show(all: readonly T[], after: string | null): void {
    if (!closed) [rows.value, next.value, problem.value, since.value] = [all, after, undefined, Date.now()];
  }
  async function refresh(): Promise<void> {
    const before = rows.value;
    try {
      const part = await read(null, Math.min(MOST, Math.max(page, before?.length ?? 0)));
      // Where more was asked for meanwhile, that is newer, and the next look brings the rest up to date.
      if (rows.value !== before) return;
      const all = renewed(part, before ?? [], keyOf);
      const goesOn = all.length > part.rows.length || (isBeyond && part.next !== null);
      show(all, goesOn ? next.value : part.next);
    } catch (refused) {
      if (!closed) problem.value = refused;
    }
  }
  async function extend(): Promise<void> {
    if (busy.value) return;
    const before = rows.value ?? [];
    busy.value = true;
    try {
      const part = await read(next.value, page);
      if (rows.value !== before) return;
      isBeyond = part.rows.length === 0;
      show([...before, ...part.rows], part.next);
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy.value = false;
    }
  }
  const watch = whileVisible(EVERY_MS, refresh);
  const close = (): void => {
    closed = true;
    watch.stop();
  };
  return { rows, next, busy, problem, since, extend, again: watch.now, close };
}

export type Pages<T> = ReturnType<typeof makePages<T>>;

/** The first entries as they are now, and those that were shown beyond them as they were. */
export function renewed<T>({ rows, next }: Part<T>, shown: readonly T[], keyOf: (row: T) => string): readonly T[] {
  if (next === null) return rows;
  const keys = new Set(rows.map(keyOf));
  return [...rows, ...shown.slice(rows.length).filter((row) => !keys.has(keyOf(row)))];
}
