/** Kernels as jobs over a GPU of the test's own, which adds up what it is given. */

import { expect, test } from "vitest";
import type { Gpu, Memory } from "../../../wasm/weevil_gpu.js";
import { Device } from "./device.ts";
import { kernelJob } from "./kernel-job.ts";

interface Bytes {
  readonly bytes: Uint8Array;
}

/** Where a slice begins stands there. */
const SLICE_BINDING = 999;

/** Each number of the result becomes the sum of the first numbers of the other buffers, and its own. */
class AddingGpu {
  readonly maxGroups = 65_535;
  readonly lost = undefined;
  /** Workgroups of each dispatch. */
  readonly dispatched: number[] = [];
  private readonly bound = new Map<number, Bytes>();
  private readonly result: number;

  constructor(result: number) {
    this.result = result;
  }

  takeError(): undefined {
    return undefined;
  }

  memory(length: number): Memory {
    return { bytes: new Uint8Array(length), release: () => undefined } as unknown as Memory;
  }

  write(memory: Bytes, at: number, bytes: Uint8Array): void {
    memory.bytes.set(bytes, at);
  }

  read(memory: Bytes, at: number, length: number): Promise<Uint8Array> {
    return Promise.resolve(memory.bytes.slice(at, at + length));
  }

  compile(): Promise<object> {
    return Promise.resolve({ bind: (number: number, memory: Bytes) => this.bound.set(number, memory) });
  }

  dispatch(_kernel: object, x: number): void {
    this.dispatched.push(x);
    const others = [...this.bound].filter(([number]) => number !== this.result && number !== SLICE_BINDING);
    const sum = others.reduce((total, [, { bytes }]) => total + (new Float32Array(bytes.buffer)[0] as number), 0);
    const numbers = new Float32Array((this.bound.get(this.result) as Bytes).bytes.buffer);
    numbers.forEach((number, at) => (numbers[at] = number + sum));
  }

  idle(): Promise<void> {
    return Promise.resolve();
  }
}

const ENTRY = "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {}";
const X = "@group(0) @binding(0) var<storage, read> x: array<f32>;";
const Y = "@group(0) @binding(1) var<storage, read_write> y: array<f32>;";
const ALIASES = "alias Out = array< Cell >;\nalias Cell = u32;";
const A = "@group(0) @binding(2) var<uniform> a: f32;";

/** The result of the kernel with these bindings, and how many workgroups each dispatch had. */
async function run(bindings: readonly string[], args: readonly unknown[], result = 1): Promise<[unknown, number[]]> {
  const gpu = new AddingGpu(result);
  const open = (): Promise<Gpu> => Promise.resolve(gpu as unknown as Gpu);
  const nothing = (): Promise<void> => Promise.resolve();
  const device = await Device.open({ open, pause: nothing, lost: () => undefined, now: () => 0 });
  const job = kernelJob(device, { name: "axpy.wgsl", text: [...bindings, ENTRY].join("\n") });
  return [await job(...args), gpu.dispatched];
}

test("arguments are bound in the order of the bindings' numbers, and what is written is the result", async () => {
  const y = Float32Array.of(1, 2);
  const [result, dispatched] = await run([A, Y, X], [Float32Array.of(10, 20), y, 100]);
  expect(result).toBe(y);
  expect([...y]).toEqual([111, 112]);
  expect(dispatched).toEqual([1]);
});

test.each([
  ["the largest input has", [X, Y, A], [new Float32Array(65).fill(1), 2], Float32Array, 65, [2]],
  ["an input of vectors has", [X.replace("f32", "vec4<f32>"), Y, A], [new Float32Array(8), 0], Float32Array, 2, [1]],
  ["vectors of the result take", [X, Y.replace("f32", "vec2f"), A], [new Float32Array(3), 0], Float32Array, 6, [1]],
  ["a result behind an alias has", [ALIASES, X, Y.replace("array<f32>", "Out")], [new Float32Array(3)], Uint32Array, 3, [1]],
  ["a result of atomic numbers has", [X, Y.replace("f32", "atomic<i32>")], [new Float32Array(3)], Int32Array, 3, [1]],
] as const)("a result that is no argument has as many numbers as %s", async (_, bindings, args, array, length, groups) => {
  const [result, dispatched] = await run(bindings, args);
  expect(result).toBeInstanceOf(array);
  expect((result as Float32Array).length).toBe(length);
  expect(dispatched).toEqual(groups);
});

test("a result without elements is one without a run", async () => {
  expect(await run([Y], [new Float32Array(0)])).toEqual([new Float32Array(0), []]);
});

const one = Float32Array.of(1);

test.each([
  [[X, Y], [[1], one], "`x` is of type Array; Float32Array is expected"],
  [[X, Y], [Float64Array.of(1), one], "`x` is of type Float64Array; Float32Array is expected"],
  [[X, Y], [new Float32Array(0), one], "`x` has no elements"],
  [[X, Y, A], [one, one, "2"], "`a` is of type String; Number is expected"],
  [[X, Y, A], [one, one, undefined], "`a` is of type Undefined; Number is expected"],
  [[X, Y, A.replace("f32", "u32")], [one, one, -1], "`a` is -1, which no u32 can hold"],
  [[X, Y, A.replace("f32", "i32")], [one, one, 0.5], "`a` is 0.5, which no i32 can hold"],
  [[X, Y, A.replace("f32", "vec4<i32>")], [one, one, Int32Array.of(1, 2, 3)], "`a` has 3 numbers; vec4<i32> has 4"],
  [[X.replace("f32", "vec2<f32>"), Y], [one, one], "`x` has 1 numbers; each of its elements takes 2"],
])("of %j called with %j it is said what is wrong", async (bindings, args, said) => {
  await expect(run(bindings, args)).rejects.toThrow(`axpy.wgsl: ${said}`);
});
