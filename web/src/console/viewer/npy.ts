/** Typed arrays as NumPy reads them (NEP 1, version 1.0 of the format): exact bytes, little-endian as they are. Pure. */

import type { TypedArray } from "../../volunteer/job/cbor-tags.ts";

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];
/** Where the numbers begin is a multiple of this. */
const ALIGNMENT = 64;

const TYPES: Readonly<Record<string, string>> = {
  Uint8Array: "|u1",
  Uint8ClampedArray: "|u1",
  Uint16Array: "<u2",
  Uint32Array: "<u4",
  BigUint64Array: "<u8",
  Int8Array: "|i1",
  Int16Array: "<i2",
  Int32Array: "<i4",
  BigInt64Array: "<i8",
  Float32Array: "<f4",
  Float64Array: "<f8",
};

/** The head and the numbers, one after the other. */
export function npyParts(data: TypedArray, shape: readonly number[]): [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>] {
  const type = TYPES[data.constructor.name] ?? "";
  const sides = shape.length === 1 ? `${shape.join()},` : shape.join(", ");
  const words = `{'descr': '${type}', 'fortran_order': False, 'shape': (${sides}), }`;
  const bare = MAGIC.length + 2 + words.length + 1;
  const text = `${words.padEnd(words.length + ((ALIGNMENT - (bare % ALIGNMENT)) % ALIGNMENT))}\n`;
  const length = [text.length & 0xff, text.length >> 8];
  const head = Uint8Array.from([...MAGIC, ...length, ...new TextEncoder().encode(text)]);
  return [head, new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength)];
}
