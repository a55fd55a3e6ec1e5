/** What kernels are given: bytes of typed arrays, numbers for uniforms, files by name. */

import type { Binding } from "./outline.ts";

export interface KernelFile {
  /** Its path in the workflow. */
  readonly name: string;
  readonly text: string;
}

const EXTENSION = ".wgsl";
/** The least that a uniform may be. */
export const UNIFORM_BYTES = 16;

/** The exact path first, else the name with its extension. */
export function fileNamed(files: readonly KernelFile[], name: string): KernelFile {
  const found = [name, `${name}${EXTENSION}`].map((path) => files.find((file) => file.name === path));
  const file = found.find((known) => known !== undefined);
  if (file !== undefined) return file;
  const there = files.length === 0 ? "it has none" : `there are ${files.map((known) => known.name).join(", ")}`;
  throw new Error(`no kernel \`${name}\` in the workflow: ${there}`);
}

/** The bytes of a typed array, not copied. */
export function bytesOf(value: unknown, what: string): Uint8Array {
  if (!ArrayBuffer.isView(value)) throw new TypeError(`${what} is ${shown(value)}; a typed array is expected`);
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/** A number as its binding's type wants it. */
export function uniformBytes(value: unknown, { name, type }: Binding): Uint8Array {
  if (typeof value !== "number") return bytesOf(value, `\`${name}\``);
  const view = new DataView(new ArrayBuffer(UNIFORM_BYTES));
  if (type === "f32") view.setFloat32(0, value, true);
  else if (type === "i32") view.setInt32(0, value, true);
  else if (type === "u32") view.setUint32(0, value, true);
  else throw new TypeError(`\`${name}\` is of type ${type}; a typed array is expected`);
  return new Uint8Array(view.buffer);
}

export function shown(value: unknown): string {
  return value === null ? "null" : typeof value;
}
