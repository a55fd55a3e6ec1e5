/**
 * CBOR to JavaScript values: everything that crates/model/src/value.rs accepts, and nothing more.
 *
 * Owns the checks on length, depth and text. Typed arrays are aligned copies, so no value keeps the message alive.
 */

import { MAX_INPUT_DEPTH, TYPED_KINDS } from "./cbor-tags.ts";
import { View, copyBytes, decodeText, defineProperty, fromCharCode, typedBuffer, viewOf } from "./primordials.ts";

/** The bytes are not exactly one value. */
export class MalformedError extends Error {}

const SHORT_TEXT = 24;

const KIND_OF = new Map(TYPED_KINDS.map((kind) => [kind.tag, kind]));
const kindOf = KIND_OF.get.bind(KIND_OF);

/** @throws MalformedError */
export function decode(bytes: Uint8Array): unknown {
  const decoder = new Decoder(bytes);
  const value = decoder.read(0);
  if (!decoder.ended) throw new MalformedError("bytes are left over after the value");
  return value;
}

class Decoder {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new View(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get ended(): boolean {
    return this.at === this.bytes.length;
  }

  read(depth: number): unknown {
    if (depth > MAX_INPUT_DEPTH) throw new MalformedError("the value is nested too deeply");
    const initial = this.bytes[this.take(1)] as number;
    const info = initial & 0x1f;
    switch (initial >> 5) {
      case 0:
        return safe(this.argument(info));
      case 1:
        return safe(-1 - this.argument(info));
      case 3:
        return this.readText(this.argument(info));
      case 4:
        return this.readArray(this.length(info), depth);
      case 5:
        return this.readObject(this.length(info), depth);
      case 6:
        return this.readTyped(this.argument(info));
      case 7:
        return this.readSimple(initial);
      default:
        throw new MalformedError("bytes without a typed array's tag");
    }
  }

  private readSimple(initial: number): unknown {
    switch (initial) {
      case 0xf4:
        return false;
      case 0xf5:
        return true;
      case 0xf6:
        return null;
      case 0xf7:
        return undefined;
      case 0xf9:
        return half(this.view.getUint16(this.take(2)));
      case 0xfa:
        return this.view.getFloat32(this.take(4));
      case 0xfb:
        return this.view.getFloat64(this.take(8));
      default:
        throw new MalformedError(`an unknown simple value ${initial.toString(16)}`);
    }
  }

  private readArray(length: number, depth: number): unknown[] {
    const items: unknown[] = [];
    for (let index = 0; index < length; index++) items[index] = this.read(depth + 1);
    return items;
  }

  private readObject(length: number, depth: number): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    for (let index = 0; index < length; index++) {
      const initial = this.bytes[this.take(1)] as number;
      if (initial >> 5 !== 3) throw new MalformedError("a property without a text name");
      const name = this.readText(this.argument(initial & 0x1f));
      const item = this.read(depth + 1);
      if (name === "__proto__") setOwn(value, name, item);
      else value[name] = item;
    }
    return value;
  }

  private readText(length: number): string {
    const start = this.take(length);
    if (length <= SHORT_TEXT) {
      const text = this.readAscii(start, length);
      if (text !== undefined) return text;
    }
    try {
      return decodeText(viewOf(this.bytes, start, start + length));
    } catch {
      throw new MalformedError("text that is not UTF-8");
    }
  }

  private readAscii(start: number, length: number): string | undefined {
    let text = "";
    for (let index = start; index < start + length; index++) {
      const code = this.bytes[index] as number;
      if (code > 0x7f) return undefined;
      text += fromCharCode(code);
    }
    return text;
  }

  private readTyped(tag: number): unknown {
    const kind = kindOf(tag);
    if (kind === undefined) throw new MalformedError("a tag that is no typed array of RFC 8746");
    const initial = this.bytes[this.take(1)] as number;
    if (initial >> 5 !== 2) throw new MalformedError("a typed array without bytes");
    const length = this.argument(initial & 0x1f);
    const start = this.take(length);
    if (length % kind.width !== 0) throw new MalformedError("a typed array with a part of an element");
    const copy = copyBytes(this.bytes, start, start + length);
    return tag === 64 ? copy : new kind.Type(typedBuffer(copy) as ArrayBuffer);
  }

  /** Each element has at least one byte, so a longer length is a lie that must not cost memory. */
  private length(info: number): number {
    const length = this.argument(info);
    if (length > this.bytes.length - this.at) throw new MalformedError("a container that ends too early");
    return length;
  }

  private argument(info: number): number {
    if (info < 24) return info;
    switch (info) {
      case 24:
        return this.bytes[this.take(1)] as number;
      case 25:
        return this.view.getUint16(this.take(2));
      case 26:
        return this.view.getUint32(this.take(4));
      case 27: {
        const at = this.take(8);
        return this.view.getUint32(at) * 0x100000000 + this.view.getUint32(at + 4);
      }
      default:
        throw new MalformedError("an item without a length");
    }
  }

  /** Moves past `length` bytes and gives their start. */
  private take(length: number): number {
    const start = this.at;
    if (length > this.bytes.length - start) throw new MalformedError("the value ends too early");
    this.at = start + length;
    return start;
  }
}

function safe(number: number): number {
  if (number > Number.MAX_SAFE_INTEGER || number < -Number.MAX_SAFE_INTEGER) {
    throw new MalformedError("an integer beyond 2^53 is not a JavaScript number");
  }
  return number;
}

function setOwn(object: object, name: string, value: unknown): void {
  defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

/** A 16-bit float; no browser has had `getFloat16` for long. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
