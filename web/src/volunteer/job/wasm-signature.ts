/**
 * The parameters and the result of a module's `weevil_main`: JavaScript cannot ask for them.
 *
 * Reads the few sections that say so and skips all others. Only for bytes that the engine has compiled: it checks nothing
 * that the engine has checked.
 */

import { Reader, sectionsOf } from "./wasm-reader.ts";

export const I32 = 0x7f;
export const I64 = 0x7e;
export const F32 = 0x7d;
export const F64 = 0x7c;

export interface Signature {
  /** The bytes that stand for types. */
  readonly parameters: readonly number[];
  readonly results: readonly number[];
}

const FUNCTION = 0;
const FUNCTION_TYPE = 0x60;
const SECTION = { types: 1, imports: 2, functions: 3, exports: 7 } as const;

/** The signature of the exported function of this name; `undefined` where a section holds what no job's module may have. */
export function signatureOf(bytes: Uint8Array, name: string): Signature | undefined {
  const sections = sectionsOf(bytes);
  const read = <Item>(section: number, item: (reader: Reader) => Item): Item[] => {
    const found = sections.get(section);
    if (found === undefined) return [];
    const content = new Reader(bytes, found.from);
    return content.list(() => item(content));
  };
  const exported = read(SECTION.exports, (reader) => ({
    name: reader.text(),
    kind: reader.byte(),
    index: reader.number(),
  }));
  const index = exported.find((found) => found.name === name && found.kind === FUNCTION)?.index;
  if (index === undefined) return undefined;
  const functions = [...read(SECTION.imports, importedFunction), ...read(SECTION.functions, (reader) => reader.number())];
  const type = functions[index];
  return type === undefined ? undefined : read(SECTION.types, functionType)[type];
}

/** The number of its type. Modules of jobs import functions and nothing else. */
function importedFunction(reader: Reader): number | undefined {
  reader.text();
  reader.text();
  return reader.byte() === FUNCTION ? reader.number() : undefined;
}

function functionType(reader: Reader): Signature | undefined {
  if (reader.byte() !== FUNCTION_TYPE) return undefined;
  return { parameters: reader.list(() => reader.byte()), results: reader.list(() => reader.byte()) };
}
