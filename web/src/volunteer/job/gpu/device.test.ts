/** The device over a GPU of the test's own: slices, duty, memory, errors, a loss. */

import { expect, test } from "vitest";
import type { Gpu, Memory } from "../../../wasm/weevil_gpu.js";
import { Device, LostError, MAX_JOB_BYTES, type Runnable, groupsFor } from "./device.ts";
import { openKernel } from "./kernel.ts";

const TEXT = `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(64) fn fill(@builtin(global_invocation_id) id: vec3<u32>) { a[id.x] = id.x; }`;
const MAX_GROUPS = 1000;

class FakeGpu {
  readonly maxBytes = 1 << 20;
  readonly maxGroups = MAX_GROUPS;
  lost: string | undefined;
  error: string | undefined;
  /** Workgroups of each dispatch. */
  readonly dispatched: number[] = [];
  readonly starts: number[] = [];
  /** Milliseconds for each workgroup. */
  cost = 0;
  losesAfter = Infinity;
  readonly clock: { ms: number };
  /** When what was dispatched is done. */
  private busyUntil = 0;
  private idles: Promise<unknown> = Promise.resolve();

  constructor(clock: { ms: number }) {
    this.clock = clock;
  }

  takeError(): string | undefined {
    return this.error;
  }

  memory(): Memory {
    return { release: () => undefined } as unknown as Memory;
  }

  write(_memory: Memory, _at: number, bytes: Uint8Array): void {
    if (bytes.length === 32) this.starts.push(new Uint32Array(bytes.slice().buffer)[0] as number);
  }

  read(_memory: Memory, _at: number, length: number): Promise<Uint8Array> {
    return this.lost === undefined ? Promise.resolve(new Uint8Array(length).fill(7)) : Promise.reject(new Error("gone"));
  }

  compile(): Promise<object> {
    return Promise.resolve({ bind: () => undefined });
  }

  dispatch(_kernel: object, x: number): void {
    this.dispatched.push(x);
    this.busyUntil = Math.max(this.busyUntil, this.clock.ms) + x * this.cost;
    if (this.dispatched.length >= this.losesAfter) this.lost = "unplugged";
  }

  /** Each in a turn of its own, as from another process. */
  idle(): Promise<void> {
    const until = this.busyUntil;
    const idle = this.idles.then(() => new Promise((resolve) => setTimeout(resolve, 0)));
    this.idles = idle;
    return idle.then(() => {
      this.clock.ms = Math.max(this.clock.ms, until);
    });
  }
}

interface Bench {
  readonly device: Device;
  readonly gpus: FakeGpu[];
  readonly pauses: number[];
  readonly losses: number[];
}

async function bench(prepare: (gpu: FakeGpu, nth: number) => void = () => undefined): Promise<Bench> {
  const clock = { ms: 0 };
  const [gpus, pauses]: [FakeGpu[], number[]] = [[], []];
  const open = (): Promise<Gpu> => {
    const gpu = new FakeGpu(clock);
    prepare(gpu, gpus.length);
    gpus.push(gpu);
    return Promise.resolve(gpu as unknown as Gpu);
  };
  const pause = (ms: number): Promise<void> => {
    pauses.push(ms);
    return Promise.resolve();
  };
  const losses: number[] = [];
  const lost = (): void => void losses.push(clock.ms);
  return { device: await Device.open({ open, pause, lost, now: () => clock.ms }), gpus, pauses, losses };
}

async function fill(device: Device, groups: number): Promise<void> {
  const { runnables } = await device.program(TEXT);
  await device.run(runnables.get("fill") as Runnable, new Map([[0, device.memory(4)]]), [groups, 1, 1]);
}

test("a long dispatch is cut, from where the one before ended, until it is done", async () => {
  const { device, gpus } = await bench((gpu) => (gpu.cost = 0.5));
  await fill(device, 2000);
  const [gpu] = gpus as [FakeGpu];
  expect(gpu.dispatched.reduce((sum, groups) => sum + groups)).toBe(2000);
  expect(gpu.starts).toEqual(gpu.dispatched.map((_, at) => 64 * gpu.dispatched.slice(0, at).reduce((a, b) => a + b, 0)));
  // The first slice does not know the kernel; those behind it take half of 50 ms.
  expect(new Set(gpu.dispatched.slice(1, -1))).toEqual(new Set([50]));
});

test("a dispatch is never wider than the device allows", async () => {
  const { device, gpus } = await bench();
  await fill(device, 2500);
  expect(gpus[0]?.dispatched).toEqual([1000, 1000, 500]);
});

test("between slices the GPU rests as its duty asks", async () => {
  const { device, pauses } = await bench((gpu) => (gpu.cost = 0.05));
  device.duty = 0.25;
  await fill(device, 1000);
  expect(pauses).toEqual([150]);
});

test("buffers of a job are bounded together, and freed with it", async () => {
  const { device } = await bench();
  device.memory(MAX_JOB_BYTES);
  expect(() => device.memory(1)).toThrow("in all buffers of the job");
  device.releaseAll();
  device.memory(1);
});

test("what the GPU finds wrong is the error of whoever waits", async () => {
  const { device, gpus } = await bench();
  (gpus[0] as FakeGpu).error = "binding 3 is missing";
  await expect(device.settle()).rejects.toThrow("binding 3 is missing");
});

test("a lost GPU is opened once more and the run repeated", async () => {
  const { device, gpus, losses } = await bench((gpu, nth) => (gpu.losesAfter = nth === 0 ? 1 : Infinity));
  const kernel = await openKernel(device, [{ name: "Fill.wgsl", text: TEXT }], "Fill");
  const a = new Uint32Array(64);
  await kernel.run({ a }, [64]);
  expect(a[0]).toBe(0x07070707);
  expect([gpus.length, losses.length]).toEqual([2, 1]);
  (gpus[1] as FakeGpu).losesAfter = 0;
  const always = await bench((gpu) => (gpu.losesAfter = 1));
  const unlucky = await openKernel(always.device, [{ name: "Fill.wgsl", text: TEXT }], "Fill");
  await expect(unlucky.run({ a }, [64])).rejects.toThrow(LostError);
});

test.each([
  [[64], [1, 1, 1]],
  [
    [65, 2],
    [2, 2, 1],
  ],
  [[0], [0, 1, 1]],
])("%j work items in workgroups of 64", (items, groups) => {
  expect(groupsFor(items, [64, 1, 1])).toEqual(groups);
});

test("half a work item is none", () => {
  expect(() => groupsFor([0.5], [64, 1, 1])).toThrow("a whole number is expected");
});
