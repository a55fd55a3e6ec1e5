/**
 * The parameters and the result of a module's `weevil_main`: JavaScript cannot ask for them.
 *
 * Reads the few sections that say so and skips all others. Only for bytes that the engine has compiled: it checks nothing
 * that the engine has checked.
 */

export const I32 = 0x7f;
export const I64 = 0x7e;
export const F32 = 0x7d;
export const F64 = 0x7c;

export interface Signature {
  /** The bytes that stand for types. */
  readonly parameters: readonly number[];
  readonly results: readonly number[];
}

const HEADER_BYTES = 8;
const FUNCTION = 0;
const FUNCTION_TYPE = 0x60;
const SECTION = { types: 1, imports: 2, functions: 3, exports: 7 } as const;

class Reader {
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

  list<Item>(item: () => Item): Item[] {
    return Array.from({ length: this.number() }, item);
  }

  text(): string {
    const length = this.number();
    const start = this.at;
    this.at += length;
    return new TextDecoder().decode(this.bytes.subarray(start, this.at));
  }
}

/** Of the exported function of this name; nothing where a section holds what no job's module may have. */
export function signatureOf(bytes: Uint8Array, name: string): Signature | undefined {
  const sections = sectionsOf(bytes);
  const read = <Item>(section: number, item: (reader: Reader) => Item): Item[] => {
    const start = sections.get(section);
    if (start === undefined) return [];
    const reader = new Reader(bytes, start);
    return reader.list(() => item(reader));
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

/** Where the content of each section begins. */
function sectionsOf(bytes: Uint8Array): Map<number, number> {
  const starts = new Map<number, number>();
  const reader = new Reader(bytes, HEADER_BYTES);
  while (reader.at < bytes.length) {
    const section = reader.byte();
    const length = reader.number();
    starts.set(section, reader.at);
    reader.at += length;
  }
  return starts;
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
