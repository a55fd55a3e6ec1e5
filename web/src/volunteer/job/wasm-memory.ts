/**
 * A cap on the memory of a module: its own declaration, lowered before the engine makes an instance of it. To the module
 * it is as on a machine with so much memory: `memory.grow` answers -1.
 *
 * Changes nothing else, and checks nothing: that the engine does with what comes out.
 */

import { Reader, sectionsOf } from "./wasm-reader.ts";

/** Pages of 64 KiB: 1 GiB. */
export const MAX_PAGES = 16_384;

const MEMORIES = 5;
/** Of limits with a largest size. */
const WITH_MAX = 1;

export interface Capped {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** By how many bytes what follows the memory has moved. */
  readonly moved: number;
}

interface Limits {
  readonly flags: number;
  readonly min: number;
  readonly max: number;
}

/** None where the module begins with more memory than it may have. */
export function capped(bytes: Uint8Array<ArrayBuffer>): Capped | undefined {
  const section = sectionsOf(bytes).get(MEMORIES);
  if (section === undefined) return { bytes, moved: 0 };
  const reader = new Reader(bytes, section.from);
  const limits = reader.list(() => limitsOf(reader));
  if (limits.some(({ min }) => min > MAX_PAGES)) return undefined;
  if (limits.every(({ max }) => max <= MAX_PAGES)) return { bytes, moved: 0 };
  const content = [...unsigned(limits.length), ...limits.flatMap(lowered)];
  const made = [MEMORIES, ...unsigned(content.length), ...content];
  const moved = made.length - (section.to - section.start);
  const all = new Uint8Array(bytes.length + moved);
  all.set(bytes.subarray(0, section.start));
  all.set(made, section.start);
  all.set(bytes.subarray(section.to), section.to + moved);
  return { bytes: all, moved };
}

function limitsOf(reader: Reader): Limits {
  const flags = reader.byte();
  const min = reader.number();
  return { flags, min, max: (flags & WITH_MAX) === 0 ? Infinity : reader.number() };
}

function lowered({ flags, min, max }: Limits): number[] {
  return [flags | WITH_MAX, ...unsigned(min), ...unsigned(Math.min(max, MAX_PAGES))];
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}
