/**
 * Which row of the page is peeked at, one at most: also in the address, so that what is copied shows the same to others.
 *
 * Never touches the DOM. What is told of the row says its list, and `peek.tsx` shows it.
 */

import { effect, signal } from "@preact/signals";
import { current, replaceEntry } from "../app/where.ts";

/** What a key, the palette or the row's own button tells the row. */
export const PEEK_EVENT = "peek";
/** Browsers allow few changes of the address in a row; a key that is held goes on through a list faster. */
const SETTLED_MS = 200;

export interface Peeked {
  readonly list: string;
  readonly row: string;
}

export const peeked = signal<Peeked | undefined>(undefined);
let writing: ReturnType<typeof setTimeout> | undefined;

// Wherever somebody goes, the address says it.
effect(() => {
  const { query } = current.value;
  clearTimeout(writing);
  peeked.value = peekedIn(query.get("peek") ?? "");
});

export function showPeek(now: Peeked | undefined): void {
  peeked.value = now;
  clearTimeout(writing);
  writing = setTimeout(() => replaceEntry("peek", peekedText(now)), SETTLED_MS);
}

/** Whether there was one to close. */
export function closePeek(): boolean {
  const open = peeked.value !== undefined;
  if (open) showPeek(undefined);
  return open;
}

/** As it stands in the address: the id of the list, then the key of the row, which may hold anything. */
export function peekedText(now: Peeked | undefined): string {
  return now === undefined ? "" : `${now.list}.${now.row}`;
}

export function peekedIn(text: string): Peeked | undefined {
  const at = text.indexOf(".");
  return at <= 0 ? undefined : { list: text.slice(0, at), row: text.slice(at + 1) };
}
