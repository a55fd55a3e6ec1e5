/**
 * JavaScript values to CBOR, byte for byte as crates/model/src/value.rs writes them.
 *
 * Owns what counts as a value and the bound on its size, kept while writing so that a huge result stops early. Never
 * calls `toJSON`, and never guesses a form for what has none: that is a `NotAValueError` with its path.
 */

import { MAX_VALUE_DEPTH, TYPED_KINDS } from "./cbor-tags.ts";
import {
  Bytes,
  View,
  charCodeAt,
  classOf,
  copyBytes,
  encodeText,
  is,
  isArray,
  isBuffer,
  isSafeInteger,
  keysOf,
  list,
  moveBytes,
  plainPrototype,
  prototypeOf,
  quote,
  setBytes,
  setFloat64,
  slice,
  typedBuffer,
  typedBytes,
  typedName,
  typedOffset,
  viewOf,
} from "./primordials.ts";

/** Something without a form on the wire; the message says where. */
export class NotAValueError extends Error {}

/** The value needs more bytes than it may have. */
export class TooLargeError extends Error {
  constructor(found: number, allowed: number) {
    super(`the result has at least ${found} bytes; at most ${allowed} are allowed`);
  }
}

const FIRST_BYTES = 4096;
/** A buffer that one large result has blown up is let go after it. */
const KEPT_BYTES = 1 << 20;
/** Strings up to this length are tried as ASCII, which spares the call into the text encoder. */
const SHORT_TEXT = 48;
const SHOWN_PATH = 8;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const TAG_OF: Readonly<Record<string, number>> = Object.freeze(
  Object.assign(Object.create(null) as object, Object.fromEntries(TYPED_KINDS.map((kind) => [kind.name, kind.tag]))),
);

export class Encoder {
  private bytes = new Bytes(FIRST_BYTES);
  private view = new View(this.bytes.buffer);
  private at = 0;
  private max = 0;
  private readonly ancestors = list<object>();
  private readonly keys = list<string | number>();

  /** @throws NotAValueError, TooLargeError, and whatever a getter of the value throws. */
  encode(value: unknown, maxBytes: number): Uint8Array<ArrayBuffer> {
    this.at = 0;
    this.max = maxBytes;
    try {
      this.write(value, 0);
      // Exactly full of one large value, which then need not be copied: the buffer is let go below.
      if (this.bytes.length > KEPT_BYTES && this.bytes.length === this.at) return this.bytes;
      return copyBytes(this.bytes, 0, this.at);
    } finally {
      this.ancestors.length = 0;
      if (this.bytes.length > KEPT_BYTES) this.resize(FIRST_BYTES);
    }
  }

  private write(value: unknown, depth: number): void {
    if (depth > MAX_VALUE_DEPTH) throw this.refusal(depth, `is nested deeper than ${MAX_VALUE_DEPTH} levels`);
    switch (typeof value) {
      case "number":
        return this.writeNumber(value);
      case "string":
        return this.writeText(value);
      case "boolean":
        return this.writeByte(value ? 0xf5 : 0xf4);
      case "undefined":
        return this.writeByte(0xf7);
      case "object":
        return value === null ? this.writeByte(0xf6) : this.writeObject(value, depth);
      default:
        throw this.refusal(depth, `is a ${typeof value}, which cannot be sent`);
    }
  }

  private writeNumber(value: number): void {
    if (isSafeInteger(value) && !is(value, -0)) {
      if (value >= 0) this.writeHead(0x00, value);
      else this.writeHead(0x20, -1 - value);
      return;
    }
    this.room(9);
    this.bytes[this.at] = 0xfb;
    setFloat64(this.view, this.at + 1, value === value ? value : NaN, false);
    this.at += 9;
  }

  private writeText(text: string): void {
    const length = text.length;
    if (length <= SHORT_TEXT && this.writeAscii(text)) return;
    if (this.at + length > this.max) throw new TooLargeError(this.at + length, this.max);
    this.grow(length * 3 + 9);
    const guessed = headBytes(length);
    const start = this.at + guessed;
    const { written } = encodeText(text, viewOf(this.bytes, start, this.bytes.length));
    const head = headBytes(written);
    if (head !== guessed) moveBytes(this.bytes, this.at + head, start, start + written);
    this.writeHead(0x60, written);
    this.at += written;
    if (this.at > this.max) throw new TooLargeError(this.at, this.max);
  }

  /** False, with nothing written, when a character is not ASCII. */
  private writeAscii(text: string): boolean {
    const start = this.at;
    const length = text.length;
    this.writeHead(0x60, length);
    this.room(length);
    for (let index = 0; index < length; index++) {
      const code = charCodeAt(text, index);
      if (code > 0x7f) {
        this.at = start;
        return false;
      }
      this.bytes[this.at++] = code;
    }
    return true;
  }

  private writeObject(value: object, depth: number): void {
    if (isBuffer(value)) return this.writeTyped(value, depth);
    if (!isArray(value) && classOf(value) === "[object ArrayBuffer]") {
      return this.writeTyped(new Bytes(value as ArrayBuffer), depth);
    }
    for (let index = 0; index < depth; index++) {
      if (this.ancestors[index] === value) throw this.refusal(depth, "contains itself");
    }
    this.ancestors[depth] = value;
    if (isArray(value)) this.writeArray(value as unknown[], depth);
    else this.writeMap(value, depth);
  }

  private writeArray(items: unknown[], depth: number): void {
    const length = items.length;
    if (this.at + length > this.max) throw new TooLargeError(this.at + length, this.max);
    this.writeHead(0x80, length);
    for (let index = 0; index < length; index++) {
      this.keys[depth] = index;
      this.write(items[index], depth + 1);
    }
  }

  private writeMap(value: object, depth: number): void {
    this.requirePlain(value, depth);
    const names = keysOf(value);
    this.writeHead(0xa0, names.length);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      this.keys[depth] = name;
      this.writeText(name);
      this.write((value as Record<string, unknown>)[name], depth + 1);
    }
  }

  /** Map, Set, Date, Error and their like have contents that no property shows. */
  private requirePlain(value: object, depth: number): void {
    const prototype = prototypeOf(value);
    if (prototype === plainPrototype || prototype === null) return;
    const name = classOf(value);
    if (name !== "[object Object]") throw this.refusal(depth, `is of type ${slice(name, 8, -1)}, which cannot be sent`);
  }

  private writeTyped(value: ArrayBufferView, depth: number): void {
    const name = typedName(value);
    const tag = name === undefined ? undefined : TAG_OF[name];
    if (tag === undefined) throw this.refusal(depth, `is a ${name ?? "DataView"}, which cannot be sent`);
    const length = typedBytes(value);
    this.writeHead(0xc0, tag);
    this.writeHead(0x40, length);
    this.room(length);
    setBytes(this.bytes, new Bytes(typedBuffer(value), typedOffset(value), length), this.at);
    this.at += length;
  }

  private writeByte(byte: number): void {
    this.room(1);
    this.bytes[this.at++] = byte;
  }

  /** The initial byte and the shortest form of its argument. */
  private writeHead(major: number, argument: number): void {
    const size = headBytes(argument);
    this.room(size);
    const at = this.at;
    if (size === 1) {
      this.bytes[at] = major | argument;
    } else if (size === 2) {
      this.bytes[at] = major | 24;
      this.bytes[at + 1] = argument;
    } else if (size === 3) {
      this.bytes[at] = major | 25;
      this.writeBig(at + 1, argument, 2);
    } else if (size === 5) {
      this.bytes[at] = major | 26;
      this.writeBig(at + 1, argument, 4);
    } else {
      this.bytes[at] = major | 27;
      this.writeBig(at + 1, (argument - (argument >>> 0)) / 0x100000000, 4);
      this.writeBig(at + 5, argument, 4);
    }
    this.at = at + size;
  }

  private writeBig(at: number, value: number, width: number): void {
    for (let index = 0; index < width; index++) this.bytes[at + index] = value >>> (8 * (width - 1 - index));
  }

  private room(length: number): void {
    if (this.at + length > this.max) throw new TooLargeError(this.at + length, this.max);
    this.grow(length);
  }

  private grow(length: number): void {
    const needed = this.at + length;
    if (needed <= this.bytes.length) return;
    const old = this.bytes;
    this.resize(needed > old.length * 2 ? needed : old.length * 2);
    setBytes(this.bytes, viewOf(old, 0, this.at), 0);
  }

  private resize(length: number): void {
    this.bytes = new Bytes(length);
    this.view = new View(this.bytes.buffer);
  }

  private refusal(depth: number, what: string): NotAValueError {
    let path = "result";
    for (let index = 0; index < depth && index < SHOWN_PATH; index++) path += segment(this.keys[index]);
    return new NotAValueError(`${path}${depth > SHOWN_PATH ? "…" : ""} ${what}`);
  }
}

function segment(key: string | number | undefined): string {
  if (typeof key === "number") return `[${key}]`;
  return key !== undefined && IDENTIFIER.test(key) ? `.${key}` : `[${quote(key)}]`;
}

function headBytes(argument: number): number {
  if (argument < 24) return 1;
  if (argument < 0x100) return 2;
  if (argument < 0x10000) return 3;
  return argument < 0x100000000 ? 5 : 9;
}
