/**
 * The GPU as jobs use it: programs compiled once, memory counted, dispatches in slices, and a new device for a lost one.
 *
 * Knows neither WebCL nor `weevil.kernel`; both stand on it. Never gives one job the memory of another.
 */

import type { Gpu, Kernel, Memory } from "../../../wasm/weevil_gpu.js";
import { type Access, type Entry, type Outline, type Triple, outlineOf } from "./outline.ts";
import { Pace, SLICE_BINDING, SLICE_BYTES, sliced } from "./slices.ts";

/** All buffers of one job together. */
export const MAX_JOB_BYTES = 2 ** 30;
const KINDS: Readonly<Record<Access, number>> = { uniform: 0, read: 1, readWrite: 2 };

export interface Host {
  readonly open: () => Promise<Gpu>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Hears of a GPU that was lost. */
  readonly lost: () => void;
}

/** One entry point, ready to run. */
export interface Runnable {
  readonly entry: Entry;
  readonly kernel: Kernel;
  readonly pace: Pace;
  /** Where a slice begins; `undefined` for a kernel that runs in one piece. */
  readonly slice: Memory | undefined;
}

export interface Program {
  readonly outline: Outline;
  readonly runnables: ReadonlyMap<string, Runnable>;
}

/** A part of a run, or all of it. */
interface Slice {
  /** How long the GPU took, in milliseconds. */
  readonly done: Promise<number>;
}

export class LostError extends Error {}

export class Device {
  /** The share of time in which the GPU may work, above 0 and up to 1. */
  duty = 1;
  private readonly host: Host;
  private gpu: Gpu;
  private programs = new Map<string, Program>();
  private held = new Map<Memory, number>();
  private heldBytes = 0;
  /** When the latest slice ended. */
  private doneAt = 0;

  private constructor(host: Host, gpu: Gpu) {
    this.host = host;
    this.gpu = gpu;
  }

  static async open(host: Host): Promise<Device> {
    return new Device(host, await host.open());
  }

  /** After a loss: everything has to be made again. */
  async reopen(): Promise<void> {
    this.host.lost();
    this.gpu = await this.host.open();
    this.programs = new Map();
    this.held = new Map();
    this.heldBytes = 0;
  }

  /** Errors name the line and column of `text`. */
  async program(text: string): Promise<Program> {
    const known = this.programs.get(text);
    if (known !== undefined) return known;
    const outline = outlineOf(text);
    const runnables = new Map<string, Runnable>();
    for (const entry of outline.entries) runnables.set(entry.name, await this.compile(text, outline, entry));
    const program = { outline, runnables };
    this.programs.set(text, program);
    return program;
  }

  private async compile(text: string, outline: Outline, entry: Entry): Promise<Runnable> {
    const kinds = outline.bindings.flatMap(({ number, access }) => [number, KINDS[access]]);
    const cut = sliced(text, outline, entry);
    const bindings = cut === undefined ? kinds : [...kinds, SLICE_BINDING, KINDS.uniform];
    const compiled = this.gpu.compile(cut?.text ?? text, cut?.entry ?? entry.name, Uint32Array.from(bindings));
    const kernel = await this.guard(compiled);
    const slice = cut === undefined ? undefined : this.gpu.memory(SLICE_BYTES);
    return { entry, kernel, slice, pace: new Pace() };
  }

  memory(bytes: number): Memory {
    if (this.heldBytes + bytes > MAX_JOB_BYTES) {
      throw new Error(`more than ${MAX_JOB_BYTES} bytes in all buffers of the job`);
    }
    const memory = this.gpu.memory(bytes);
    this.held.set(memory, bytes);
    this.heldBytes += bytes;
    return memory;
  }

  /** What a job has made ends with it. */
  releaseAll(): void {
    for (const memory of this.held.keys()) this.release(memory);
  }

  /** Releases nothing where the device is gone. */
  release(memory: Memory): void {
    const bytes = this.held.get(memory);
    if (bytes === undefined) return;
    this.held.delete(memory);
    this.heldBytes -= bytes;
    memory.release();
  }

  write(memory: Memory, at: number, bytes: Uint8Array): void {
    this.gpu.write(memory, at, bytes);
  }

  async read(memory: Memory, at: number, length: number): Promise<Uint8Array> {
    const bytes = await this.guard(this.gpu.read(memory, at, length));
    this.check();
    return bytes;
  }

  /** Everything that was asked for is done, and nothing was wrong with it. */
  async settle(): Promise<void> {
    await this.guard(this.gpu.idle());
    this.check();
  }

  /** Runs `groups` workgroups, from the work item `offset` on. */
  async run(what: Runnable, bound: ReadonlyMap<number, Memory>, groups: Triple, offset: Triple = [0, 0, 0]): Promise<void> {
    if (groups.includes(0)) return;
    if (what.slice !== undefined) return this.runSliced(what, what.slice, bound, groups, offset);
    if (offset.some((start) => start !== 0)) throw new Error(`\`${what.entry.name}\` cannot be run from an offset`);
    this.dispatch(what, bound, groups);
    if (this.duty < 1) await this.rest(this.started(product(groups) * product(what.entry.size), what.pace));
  }

  private async runSliced(
    what: Runnable,
    slice: Memory,
    bound: ReadonlyMap<number, Memory>,
    groups: Triple,
    offset: Triple,
  ): Promise<void> {
    const axis = groups.indexOf(Math.max(...groups));
    const total = groups[axis] as number;
    const along = what.entry.size[axis] as number;
    const rowItems = (product(groups) / total) * product(what.entry.size);
    let before: Slice | undefined;
    for (let at = 0; at < total;) {
      const rows = Math.min(total - at, what.pace.rows(rowItems), this.gpu.maxGroups);
      const start = replaced(offset, axis, (offset[axis] as number) + at * along);
      this.write(slice, 0, new Uint8Array(Uint32Array.of(...start, 0, ...groups, 0).buffer));
      this.dispatch(what, new Map([...bound, [SLICE_BINDING, slice]]), replaced(groups, axis, rows));
      at += rows;
      const now = this.started(rows * rowItems, what.pace);
      // While a slice runs the next one is waiting behind it, so that the GPU never does.
      await before?.done;
      if (this.duty < 1) await this.rest(now);
      else if (at < total && !what.pace.isKnown) await now.done;
      before = now;
    }
  }

  /** Watches what was just dispatched. */
  private started(items: number, pace: Pace): Slice {
    const from = this.host.now();
    const done = this.guard(this.gpu.idle()).then(() => {
      // What waited behind the slice before began when that one ended.
      const ms = this.host.now() - Math.max(from, this.doneAt);
      this.doneAt = this.host.now();
      pace.took(items, ms);
      return ms;
    });
    // Whoever reads hears of a loss.
    done.catch(() => undefined);
    return { done };
  }

  private dispatch(what: Runnable, bound: ReadonlyMap<number, Memory>, [x, y, z]: Triple): void {
    for (const [number, memory] of bound) what.kernel.bind(number, memory);
    this.gpu.dispatch(what.kernel, x, y, z);
  }

  /** Waits for a slice, and then as long as the duty asks. */
  private async rest(slice: Slice): Promise<void> {
    const ms = await slice.done;
    await this.host.pause((ms * (1 - this.duty)) / this.duty);
  }

  private check(): void {
    const error = this.gpu.takeError();
    if (error !== undefined) throw new Error(error);
  }

  private async guard<T>(work: Promise<T>): Promise<T> {
    try {
      const done = await work;
      if (this.gpu.lost === undefined) return done;
    } catch (thrown) {
      // The news of a loss may come just after its first victim.
      await this.host.pause(0);
      if (this.gpu.lost === undefined) throw thrown;
    }
    throw new LostError(`the GPU was lost: ${this.gpu.lost ?? ""}`);
  }
}

/** Workgroups for so many work items; the last ones may go beyond. */
export function groupsFor(items: readonly number[], size: Triple): Triple {
  const [x = 1, y = 1, z = 1] = items;
  const along = (count: number, axis: 0 | 1 | 2): number => {
    if (!Number.isSafeInteger(count) || count < 0) throw new Error(`${count} work items; a whole number is expected`);
    return Math.ceil(count / size[axis]);
  };
  return [along(x, 0), along(y, 1), along(z, 2)];
}

function product([x, y, z]: Triple): number {
  return x * y * z;
}

function replaced([x, y, z]: Triple, axis: number, by: number): Triple {
  return [axis === 0 ? by : x, axis === 1 ? by : y, axis === 2 ? by : z];
}
