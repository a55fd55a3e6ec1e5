/**
 * A cap on the memories of a module: its own declaration, lowered before the engine makes an instance of it. To the module
 * it is as on a machine with so much memory: `memory.grow` answers -1.
 *
 * Changes nothing else, and checks nothing: that the engine does with what comes out. Goes by nothing that a job can change.
 */

import { Bytes, list, setBytes, viewOf } from "./primordials.ts";
import { Reader } from "./wasm-reader.ts";

/** Pages of 64 KiB: 1 GiB. */
export const MAX_PAGES = 16_384;

const HEADER_BYTES = 8;
const MEMORIES = 5;
/** Flags of limits with a largest size, of memory that is shared, and beyond what is known here. */
const WITH_MAX = 1;
const SHARED = 2;
const UNKNOWN = 8;

export interface Capped {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** By how many bytes what follows the memories has moved. */
  readonly moved: number;
  /** What its memories can grow to together. */
  readonly pages: number;
}

/** How far a memory may grow that begins with `min` pages and asks for `max`; -1 where it may not be. */
export type Grant = (min: number, max: number, shared: boolean) => number;

const alone: Grant = (min, max) => (min > MAX_PAGES ? -1 : max < MAX_PAGES ? max : MAX_PAGES);

/** Nothing where a memory is more than it may be. */
export function capped(bytes: Uint8Array<ArrayBuffer>, grant = alone): Capped | undefined {
  const reader = new Reader(bytes, HEADER_BYTES);
  while (reader.at < bytes.length) {
    const start = reader.at;
    const section = reader.byte();
    const to = reader.number() + reader.at;
    if (section === MEMORIES) return lowered(bytes, reader, start, to, grant);
    reader.at = to;
  }
  return { bytes, moved: 0, pages: 0 };
}

function lowered(bytes: Uint8Array<ArrayBuffer>, reader: Reader, start: number, to: number, grant: Grant): Capped | undefined {
  const content = list<number>();
  const count = reader.number();
  unsigned(content, count);
  let pages = 0;
  let isLower = false;
  for (let index = 0; index < count && reader.at < to; index++) {
    const flags = reader.byte();
    const min = reader.number();
    const max = (flags & WITH_MAX) === 0 ? Infinity : reader.number();
    const most = flags >= UNKNOWN ? -1 : grant(min, max, (flags & SHARED) !== 0);
    if (most < min) return undefined;
    content[content.length] = flags | WITH_MAX;
    unsigned(content, min);
    unsigned(content, most);
    pages += most;
    isLower ||= most < max;
  }
  return isLower ? replaced(bytes, start, to, content, pages) : { bytes, moved: 0, pages };
}

function replaced(bytes: Uint8Array<ArrayBuffer>, start: number, to: number, content: readonly number[], pages: number): Capped {
  const head = list<number>();
  head[0] = MEMORIES;
  unsigned(head, content.length);
  const moved = head.length + content.length - (to - start);
  const all = new Bytes(bytes.length + moved);
  setBytes(all, viewOf(bytes, 0, start), 0);
  for (let index = 0; index < head.length; index++) all[start + index] = head[index] as number;
  for (let index = 0; index < content.length; index++) all[start + head.length + index] = content[index] as number;
  setBytes(all, viewOf(bytes, to, bytes.length), to + moved);
  return { bytes: all, moved, pages };
}

/** LEB128. */
function unsigned(into: number[], value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest = (rest - (rest % 0x80)) / 0x80) into[into.length] = (rest % 0x80) | 0x80;
  into[into.length] = rest;
}
