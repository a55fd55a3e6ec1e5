/**
 * WebAssembly modules as job code, as docs/wasm-abi.md says: compiled once, with an instance of its own for each job, so
 * that no job sees what another left in memory.
 *
 * Numbers go in and out as they are, other values as the bytes of their CBOR form, which nobody here unpacks. Shares its
 * realm with no JavaScript of strangers: it runs in the strict frame alone.
 */

import { messageOf, slotError } from "./errors.ts";
import { type JobLog, MAX_LINE_CHARS } from "./log.ts";
import { bare } from "./primordials.ts";
import type { Main, Program } from "./program.ts";
import { MAX_PAGES, capped } from "./wasm-memory.ts";
import { F32, F64, I32, I64, type Signature, signatureOf } from "./wasm-signature.ts";

/** What a module may import from `weevil`. */
export interface Provided {
  readonly progress: (done: number) => void;
  readonly flops: (count: number) => void;
  readonly log: Pick<JobLog, "admits" | "send">;
}

interface ValueExports {
  readonly memory: WebAssembly.Memory;
  readonly alloc: (length: number) => number;
  readonly weevil_main: (at: number, length: number) => bigint;
}

const ENTRY = "weevil_main";
/** `undefined` in CBOR. */
const UNDEFINED = new Uint8Array([0xf7]);
const I32_MIN = -(2 ** 31);
const U32_MAX = 2 ** 32 - 1;
/** Bytes that one more character than a line may have can take. */
const LINE_BYTES = 4 * (MAX_LINE_CHARS + 1);
const utf8 = new TextDecoder();
const { Module, Instance, Memory } = WebAssembly;
/** How engines name the place of a module in a stack: Chromium's way and Firefox's. */
const PLACE = /(?:wasm:\/\/wasm\/[^\s:)]*|[^\s@(]*(?: line \d+)? > WebAssembly\.[^:\s]*):(?=wasm-function)/g;
const OFFSET = /(wasm-function\[\d+\]:0x)([0-9a-f]+)/g;

export function compileModule(bytes: Uint8Array<ArrayBuffer>, source: string, provided: Provided): Program {
  let module: WebAssembly.Module;
  let moved = 0;
  try {
    const lower = capped(bytes);
    if (lower === undefined) {
      return bare({ error: slotError("syntax", `${source}: its memory begins with more than ${MAX_PAGES} pages`) });
    }
    ({ moved } = lower);
    module = new Module(lower.bytes);
  } catch (thrown) {
    return bare({ error: slotError("syntax", `${source}: ${messageOf(thrown)}`) });
  }
  const instantiate = instances(module, provided);
  const packed = Module.exports(module).some(({ name }) => name === "alloc");
  if (packed) return bare({ main: named(values(instantiate), source, moved), packed });
  const signature = signatureOf(bytes, ENTRY);
  if (signature === undefined) {
    return bare({ error: slotError("noMain", `${source} exports no function \`${ENTRY}\``) });
  }
  return bare({ main: named(numbers(instantiate, signature), source, moved), packed });
}

/** Gives each job its instance. */
function instances(module: WebAssembly.Module, { progress, flops, log: lines }: Provided): () => WebAssembly.Exports {
  let memory: unknown;
  const log = (at: number, length: number): void => {
    // Nothing is exported yet while a `start` function runs.
    if (!(memory instanceof Memory)) return;
    const text = within(memory, at >>> 0, length >>> 0, "weevil.log");
    if (lines.admits()) lines.send(utf8.decode(text.slice(0, LINE_BYTES)));
  };
  const imports = { weevil: { progress, flops, log } };
  return () => {
    memory = undefined;
    const { exports } = new Instance(module, imports);
    ({ memory } = exports);
    return exports;
  };
}

function numbers(instantiate: () => WebAssembly.Exports, { parameters }: Signature): Main {
  return (...args) => {
    const inputs = parameters.map((type, at) => toModule(type, args[at], at + 1));
    const main = instantiate()[ENTRY] as (...inputs: (number | bigint)[]) => number | bigint | undefined;
    return fromModule(main(...inputs));
  };
}

function toModule(type: number, value: unknown, position: number): number | bigint {
  const refuse = (expected: string): never => {
    throw new RangeError(`argument ${position} is ${String(value)}; ${expected}`);
  };
  if (typeof value !== "number") return refuse("the module takes a Number");
  if (type === F64 || type === F32) return value;
  if (type === I32) {
    const fits = Number.isInteger(value) && value >= I32_MIN && value <= U32_MAX;
    return fits ? value : refuse("the module takes a whole number of 32 bits");
  }
  if (type === I64) {
    return Number.isSafeInteger(value) ? BigInt(value) : refuse("the module takes a whole number up to 2^53 - 1");
  }
  return refuse("the module takes no number there");
}

function fromModule(value: number | bigint | undefined): number | undefined {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`${ENTRY} returned ${value}, which a Number cannot hold exactly`);
}

/** Takes the bytes of the arguments, and returns those of the result: a view that the next job invalidates. */
function values(instantiate: () => WebAssembly.Exports): Main {
  return (...args) => {
    const input = args[0] as Uint8Array;
    const { memory, alloc, weevil_main: main } = instantiate() as unknown as ValueExports;
    const at = alloc(input.length) >>> 0;
    if (at === 0) throw new RangeError(`alloc(${input.length}) answered 0: the module has no memory for its input`);
    within(memory, at, input.length, "alloc").set(input);
    const packed = BigInt.asUintN(64, main(at, input.length));
    const length = Number(packed & 0xffff_ffffn);
    return length === 0 ? UNDEFINED : within(memory, Number(packed >> 32n), length, ENTRY);
  };
}

function within(memory: WebAssembly.Memory, at: number, length: number, who: string): Uint8Array {
  const { byteLength } = memory.buffer;
  if (at + length <= byteLength) return new Uint8Array(memory.buffer, at, length);
  throw new RangeError(`${who}: ${length} bytes at ${at} are not within the ${byteLength} bytes of the memory`);
}

/** Errors name the file instead of the engine's own name for the module, and places in it as it was written. */
function named(main: Main, source: string, moved: number): Main {
  const inFile = (_: string, where: string, offset: string): string => where + (parseInt(offset, 16) - moved).toString(16);
  return (...args) => {
    try {
      return main(...args);
    } catch (thrown) {
      if (thrown instanceof Error && thrown.stack !== undefined) {
        thrown.stack = thrown.stack.replace(PLACE, `${source}:`).replace(OFFSET, inFile);
      }
      throw thrown;
    }
  };
}
