/**
 * Reads a WebAssembly module's bytes, section by section (WebAssembly Core Specification, 5.5).
 *
 * Checks nothing, which the engine does, and knows no section's meaning. Ends whatever the bytes are.
 */

const HEADER_BYTES = 8;

export class Reader {
  private readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0;
  }

  /** LEB128, up to 32 bits. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  /** No longer than bytes are left: each item has one. */
  list<Item>(item: () => Item): Item[] {
    return Array.from({ length: Math.min(this.number(), this.bytes.length) }, item);
  }

  text(): string {
    const length = this.number();
    const start = this.at;
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(start, this.at));
  }
}

/** A section from its first byte, its content, and where the next one begins. */
export interface Section {
  readonly start: number;
  readonly from: number;
  readonly to: number;
}

/** Sections by their number; of several custom ones the last. */
export function sectionsOf(bytes: Uint8Array): Map<number, Section> {
  const found = new Map<number, Section>();
  const all = new Reader(bytes, HEADER_BYTES);
  while (all.at < bytes.length) {
    const start = all.at;
    const section = all.byte();
    const length = all.number();
    const from = all.at;
    all.at += length;
    found.set(section, { start, from, to: all.at });
  }
  return found;
}
