/** Small modules for tests, put together byte by byte. Never part of a page. */

export const I32 = 0x7f;
export const I64 = 0x7e;
export const F32 = 0x7d;
export const F64 = 0x7c;

export interface Func {
  /** Exported under this name. */
  readonly name: string;
  readonly parameters: readonly number[];
  readonly results: readonly number[];
  /** The instructions, without the last `end`. */
  readonly body: readonly number[];
}

export interface Fields {
  readonly functions: readonly Func[];
  /** Pages of an exported memory, */
  readonly memory?: number;
  /** and how far it may grow. */
  readonly maxMemory?: number;
  /** The first imports, all from `weevil`. */
  readonly imports?: readonly { readonly name: string; readonly parameters: readonly number[] }[];
}

const text = (of: string): number[] => [of.length, ...new TextEncoder().encode(of)];
const list = (items: readonly (readonly number[])[]): number[] => [items.length, ...items.flat()];
const section = (id: number, bytes: readonly number[]): number[] => [id, ...unsigned(bytes.length), ...bytes];

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** `i32.const` of a small or negative number. */
export const i32 = (value: number): number[] => [0x41, ...signed(BigInt(value))];
/** `i64.const` */
export const i64 = (value: bigint): number[] => [0x42, ...signed(value)];

function signed(value: bigint): number[] {
  const byte = Number(value & 0x7fn);
  const rest = value >> 7n;
  const last = (rest === 0n && byte < 0x40) || (rest === -1n && byte >= 0x40);
  return last ? [byte] : [byte | 0x80, ...signed(rest)];
}

/** "\\0asm", version 1. */
const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

export function moduleOf({ functions, memory, maxMemory, imports = [] }: Fields): Uint8Array<ArrayBuffer> {
  const types = [...imports.map(({ parameters }) => ({ parameters, results: [] })), ...functions];
  const typeOf = ({ parameters, results }: Pick<Func, "parameters" | "results">): number[] => [
    0x60,
    ...list(parameters.map((type) => [type])),
    ...list(results.map((type) => [type])),
  ];
  const imported = imports.map(({ name }, at) => [...text("weevil"), ...text(name), 0, at]);
  const names = functions.map(({ name }, at) => [imports.length + at, ...text(`${name}_in_c`)]);
  const exported = functions.map(({ name }, at) => [...text(name), 0, imports.length + at]);
  if (memory !== undefined) exported.push([...text("memory"), 2, 0]);
  const limits = maxMemory === undefined ? [0, ...unsigned(memory ?? 0)] : [1, ...unsigned(memory ?? 0), ...unsigned(maxMemory)];
  return new Uint8Array([
    ...HEADER,
    ...section(1, list(types.map(typeOf))),
    ...(imports.length > 0 ? section(2, list(imported)) : []),
    ...section(3, list(functions.map((_, at) => [imports.length + at]))),
    ...(memory === undefined ? [] : section(5, [1, ...limits])),
    ...section(7, list(exported)),
    ...section(10, list(functions.map(({ body }) => [...unsigned(body.length + 2), 0, ...body, 0x0b]))),
    ...section(0, [...text("name"), ...section(1, list(names))]),
  ]);
}
