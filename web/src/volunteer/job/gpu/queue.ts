/** WebCL's command queue and kernels: what is enqueued becomes steps. */

import type { Memory } from "../../../wasm/weevil_gpu.js";
import { type Runnable, groupsFor } from "./device.ts";
import { compiled } from "./kernel.ts";
import type { Binding, Entry, Triple } from "./outline.ts";
import { ClBuffer, Resource, type Scene, memoryOf } from "./scene.ts";
import { type KernelFile, UNIFORM_BYTES, bytesOf, shown, uniformBytes } from "./values.ts";

type Argument = { readonly buffer: number } | { readonly value: number };
type Numbers = readonly number[] | null | undefined;

export class ClKernel extends Resource {
  readonly file: KernelFile;
  readonly entry: Entry;
  readonly args = new Map<number, Argument>();

  constructor(file: KernelFile, entry: Entry) {
    super();
    this.file = file;
    this.entry = entry;
  }

  /** `index` is the number of the kernel's binding. */
  setKernelArg(index: number, value: unknown): void {
    if (value instanceof ClBuffer) this.args.set(index, { buffer: value.id });
    else if (typeof value === "number") this.args.set(index, { value });
    else throw new TypeError(`argument ${index} is ${shown(value)}; a buffer or a number is expected`);
  }
}

export class CommandQueue extends Resource {
  private readonly scene: Scene;

  constructor(scene: Scene) {
    super();
    this.scene = scene;
  }

  enqueueWriteBuffer(buffer: ClBuffer, _blocking: boolean, offset: number, bytes: number, from: unknown): void {
    const { scene } = this;
    const { id } = buffer;
    const written = part(bytesOf(from, "what is written"), bytes);
    scene.replay.later(`enqueueWriteBuffer(buffer ${id}, ${offset}, ${bytes}, ${checksum(written)})`, () => {
      const copy = written.slice();
      return () => {
        scene.device.write(memoryOf(scene, id), offset, copy);
      };
    });
  }

  /** A read that does not block is allowed to, and does: its array is filled when the call returns. */
  enqueueReadBuffer(buffer: ClBuffer, _blocking: boolean, offset: number, bytes: number, into: unknown): void {
    const { scene } = this;
    const { id } = buffer;
    const target = part(bytesOf(into, "what is read into"), bytes);
    const read = (): Promise<Uint8Array> => scene.device.read(memoryOf(scene, id), offset, bytes);
    target.set(scene.replay.now(`enqueueReadBuffer(buffer ${id}, ${offset}, ${bytes})`, () => read) as Uint8Array);
  }

  enqueueNDRangeKernel(kernel: ClKernel, dimensions: number, offset: Numbers, global: readonly number[], local?: Numbers): void {
    const { scene } = this;
    const { file, entry } = kernel;
    const items = global.slice(0, dimensions);
    const [x = 0, y = 0, z = 0] = offset ?? [];
    const start: Triple = [x, y, z];
    checkLocal(entry, items, local ?? []);
    const args = new Map(kernel.args);
    const what = `enqueueNDRangeKernel(${entry.name}, ${JSON.stringify([start, items, [...args]])})`;
    scene.replay.later(what, () => async () => {
      const { runnables, outline } = await compiled(scene.device, file);
      const bound = new Map(outline.bindings.map((known) => [known.number, given(scene, known, args)]));
      await scene.device.run(runnables.get(entry.name) as Runnable, bound, groupsFor(items, entry.size), start);
    });
  }

  flush(): void {
    // What is enqueued is carried out in its order without being asked.
  }

  finish(): void {
    const { scene } = this;
    scene.replay.later("finish()", () => () => scene.device.settle());
  }
}

function given(scene: Scene, binding: Binding, args: ReadonlyMap<number, Argument>): Memory {
  const argument = args.get(binding.number);
  if (argument === undefined) throw new Error(`argument ${binding.number}, \`${binding.name}\`, was not set`);
  if ("buffer" in argument) return memoryOf(scene, argument.buffer);
  if (binding.access !== "uniform") throw new TypeError(`argument ${binding.number} is a number; a buffer is expected`);
  const memory = scene.device.memory(UNIFORM_BYTES);
  scene.device.write(memory, 0, uniformBytes(argument.value, binding));
  return memory;
}

/** The size of a workgroup stands in the WGSL: a job may repeat it, and not change it. */
function checkLocal(entry: Entry, items: readonly number[], local: readonly number[]): void {
  for (const [axis, asked] of local.slice(0, items.length).entries()) {
    const fixed = entry.size[axis];
    if (asked !== fixed) {
      throw new Error(`a workgroup of ${local.join(" x ")} is asked for; \`${entry.name}\` has ${entry.size.join(" x ")}`);
    }
    if ((items[axis] as number) % asked !== 0) {
      throw new Error(`${items[axis]} work items are no multiple of the workgroup's ${asked}`);
    }
  }
}

function part(bytes: Uint8Array, wanted: number): Uint8Array {
  if (!Number.isSafeInteger(wanted) || wanted < 0 || wanted > bytes.length) {
    throw new RangeError(`${wanted} bytes of an array that has ${bytes.length}`);
  }
  return bytes.subarray(0, wanted);
}

/** Tells whether a job that is run again writes the same (FNV-1a). */
function checksum(bytes: Uint8Array): number {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}
