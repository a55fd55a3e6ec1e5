/**
 * A bound on the WebAssembly memories that scripts make: the largest sizes of all of them, those that modules declare
 * among them, are 1 GiB together, and none is shared. Plain buffers no page can keep account of.
 *
 * What was given is not taken back: a realm that has little left is left after its job. Knows no job.
 */

import {
  Bytes,
  bare,
  construct,
  copyBytes,
  defineProperty,
  isBuffer,
  mark,
  marked,
  typedBuffer,
  typedBytes,
  typedName,
  typedOffset,
} from "../primordials.ts";
import { type Grant, MAX_PAGES, capped } from "../wasm-memory.ts";

/** A memory that names no largest size, or a larger one, is given this part of what is left. */
const PART = 4;

type Make = (new (...args: unknown[]) => object) & ((...args: unknown[]) => unknown);
type Later = (...args: unknown[]) => Promise<unknown>;

interface Limits {
  readonly initial?: unknown;
  readonly maximum?: unknown;
  readonly shared?: unknown;
}

export class Memories {
  private left = MAX_PAGES;
  private readonly pagesOf = new WeakMap<object, number>();

  /** Is there enough for a further job's memories? */
  get enough(): boolean {
    return this.left >= MAX_PAGES / PART;
  }

  /** How far a memory may grow; -1 where there is no room for it. */
  private readonly share: Grant = (min, max, shared) => {
    if (shared || !(min <= this.left)) return -1;
    if (max <= this.left) return max;
    const part = Math.floor(this.left / PART);
    return part > min ? part : min;
  };

  private take(pages: number): void {
    if (!(pages <= this.left)) throw new RangeError(`the memories of this job worker would have more than ${MAX_PAGES} pages together`);
    this.left -= pages;
  }

  /** Puts the bound in front of everything that makes memories. */
  guard({ WebAssembly: wasm }: typeof globalThis): void {
    const real = wasm as unknown as Record<"Memory" | "Module" | "Instance", Make> & Record<"compile" | "instantiate", Later>;
    const { Module, compile, instantiate } = real;
    replace(real, "Memory", (args) => [this.limits(args[0])]);
    const lower = (source: unknown): { bytes: Uint8Array; pages: number } => this.lowered(source);
    const know = (module: object, pages: number): object => {
      mark(this.pagesOf, module, pages);
      return module;
    };
    const made = (module: unknown): unknown => {
      const pages = typeof module === "object" && module !== null ? marked(this.pagesOf, module) : undefined;
      if (pages === undefined) throw new TypeError("an instance is made of a module that was compiled here");
      this.take(pages);
      return module;
    };
    replace(real, "Instance", (args) => [made(args[0]), args[1]]);
    put(real, "Module", Module, (args, by) => {
      const { bytes, pages } = lower(args[0]);
      return know(construct(Module, [bytes], by) as object, pages);
    });
    const compiled: Later = async (source: unknown): Promise<object> => {
      const { bytes, pages } = lower(source);
      return know((await compile(bytes)) as object, pages);
    };
    const instantiated = async (source: unknown, imports?: unknown): Promise<unknown> => {
      const isModule = typeof source === "object" && source !== null && marked(this.pagesOf, source) !== undefined;
      const module = isModule ? source : await compiled(source);
      const instance = await instantiate(made(module), imports);
      return isModule ? instance : { module, instance };
    };
    defineProperty(real, "compile", { value: compiled });
    defineProperty(real, "instantiate", { value: instantiated });
  }

  private lowered(source: unknown): { bytes: Uint8Array; pages: number } {
    const lower = capped(copyOf(source), this.share);
    if (lower === undefined) throw new RangeError(`the memory of this module is shared, or there is no room for it in ${MAX_PAGES} pages`);
    return lower;
  }

  private limits(given: unknown): object {
    const { initial, maximum, shared } = given as Limits;
    if (shared !== undefined && shared !== false) throw new TypeError("memories of jobs are never shared");
    const [min, max] = [Number(initial), maximum === undefined ? Infinity : Number(maximum)];
    if (!(min >= 0 && max >= min)) throw new RangeError("a memory has a first and a largest size, in pages");
    const pages = this.share(min, max, false);
    this.take(pages < 0 ? Infinity : pages);
    return bare({ initial: min, maximum: pages });
  }
}

/** What is compiled must be what was read: a copy. */
function copyOf(source: unknown): Uint8Array<ArrayBuffer> {
  if (!isBuffer(source)) {
    const bytes = new Bytes(source as ArrayBuffer);
    return copyBytes(bytes, 0, typedBytes(bytes));
  }
  const isView = typedName(source) === undefined;
  const view = isView ? (source as DataView) : undefined;
  const bytes =
    view === undefined
      ? new Bytes(typedBuffer(source) as ArrayBuffer, typedOffset(source), typedBytes(source))
      : new Bytes(view.buffer as ArrayBuffer, view.byteOffset, view.byteLength);
  return copyBytes(bytes, 0, typedBytes(bytes));
}

/** Puts `make` in the place of a constructor, under its name and before its prototype. */
function put(holder: object, name: string, Real: Make, make: (args: readonly unknown[], by: Make) => object): void {
  const told: Make = new Proxy(Real, { construct: (_, args: unknown[], by) => make(args, (by === told ? Real : by) as Make) });
  defineProperty(holder, name, { value: told });
  defineProperty((Real as { prototype: object }).prototype, "constructor", { value: told });
}

function replace(holder: object, name: string, settle: (args: readonly unknown[]) => unknown[]): void {
  const Real = (holder as Record<string, Make>)[name] as Make;
  put(holder, name, Real, (args, by) => construct(Real, settle(args), by) as object);
}
