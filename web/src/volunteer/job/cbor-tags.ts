/**
 * The typed arrays that travel, and their RFC 8746 tags (little-endian). One table for both directions; the same as
 * `TYPED` in crates/model/src/types.rs. Never holds the values themselves.
 */

export type TypedArray =
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

export interface TypedKind {
  readonly name: string;
  readonly tag: number;
  /** Bytes of one element. */
  readonly width: number;
  readonly Type: new (buffer: ArrayBuffer) => TypedArray;
}

export const TYPED_KINDS: readonly TypedKind[] = [
  { name: "Uint8Array", tag: 64, width: 1, Type: Uint8Array },
  { name: "Uint8ClampedArray", tag: 68, width: 1, Type: Uint8ClampedArray },
  { name: "Uint16Array", tag: 69, width: 2, Type: Uint16Array },
  { name: "Uint32Array", tag: 70, width: 4, Type: Uint32Array },
  { name: "BigUint64Array", tag: 71, width: 8, Type: BigUint64Array },
  { name: "Int8Array", tag: 72, width: 1, Type: Int8Array },
  { name: "Int16Array", tag: 77, width: 2, Type: Int16Array },
  { name: "Int32Array", tag: 78, width: 4, Type: Int32Array },
  { name: "BigInt64Array", tag: 79, width: 8, Type: BigInt64Array },
  { name: "Float32Array", tag: 85, width: 4, Type: Float32Array },
  { name: "Float64Array", tag: 86, width: 8, Type: Float64Array },
];

/** Nesting of one value; the same as `MAX_VALUE_DEPTH` in crates/model/src/limits.rs. */
export const MAX_VALUE_DEPTH = 128;
/** A job's input wraps values of full depth: in the list of arguments, and a reducer's also in the list of results. */
export const MAX_INPUT_DEPTH = MAX_VALUE_DEPTH + 2;
