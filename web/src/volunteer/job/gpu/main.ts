/**
 * Entry of the GPU runtime, a script that travels inside the GPU module and is evaluated when the first GPU job arrives.
 *
 * Is handed a clock and a bell: it never sees the job worker's port.
 */

import { Gpu, initSync } from "../../../wasm/weevil_gpu.js";
import { Device, LostError } from "./device.ts";
import { type KernelHandle, openKernel } from "./kernel.ts";
import { kernelJob } from "./kernel-job.ts";
import { Replay } from "./replay.ts";
import type { Scene } from "./scene.ts";
import { callable } from "./typed.ts";
import { type KernelFile, fileNamed } from "./values.ts";
import { webcl } from "./webcl.ts";

export interface Clock {
  /** Milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Hears of a GPU that was lost. */
  readonly lost: () => void;
  /** What the GPU does for a job that may not wait for it: the next job does not begin before. */
  readonly hold: (promise: unknown) => void;
}

export interface GpuRuntime {
  /** What the code of a GPU job finds by name, beside what all jobs find. */
  readonly names: Readonly<Record<string, unknown>>;
  /** What such code finds on `weevil`, beside what is there for all jobs. */
  readonly weevil: Readonly<Record<string, unknown>>;
  /** What is called for a job whose code is this kernel. */
  readonly kernelJob: (file: KernelFile) => (...args: unknown[]) => Promise<unknown>;
  /** Runs one job: `attempt` calls its function, and is called again after each wait for the GPU. */
  readonly run: (files: readonly KernelFile[], attempt: () => unknown) => Promise<unknown>;
  /** The share of time in which the GPU may work, above 0 and up to 1. */
  readonly setDuty: (share: number) => void;
}

/** Opens the device. */
export async function start(module: WebAssembly.Module, clock: Clock): Promise<GpuRuntime> {
  initSync({ module });
  const device = await Device.open({ ...clock, open: () => Gpu.open() });
  const scene: Scene = { device, replay: new Replay(), files: [], memories: new Map(), buffers: 0 };
  return {
    names: {
      ...callable(),
      WebCL: webcl(scene),
      loadWebCLKernel: (name: string) => fileNamed(scene.files, name).text,
    },
    weevil: {
      kernel: (name: string, entry?: string): Promise<KernelHandle> =>
        held(clock, opened(clock, openKernel(device, scene.files, name, entry))),
    },
    kernelJob: (file) => kernelJob(device, file),
    run: (files, attempt) => run(scene, files, attempt),
    setDuty: (share) => {
      device.duty = share;
    },
  };
}

function held<T>({ hold }: Clock, promise: Promise<T>): Promise<T> {
  hold(promise);
  return promise;
}

async function opened(clock: Clock, opening: Promise<KernelHandle>): Promise<KernelHandle> {
  const { workgroup, run: launch } = await opening;
  return Object.freeze({
    workgroup,
    run: (values: Parameters<typeof launch>[0], items: readonly number[]) => held(clock, launch(values, items)),
  });
}

async function run(scene: Scene, files: readonly KernelFile[], attempt: () => unknown): Promise<unknown> {
  let recovered = false;
  scene.files = files;
  scene.memories.clear();
  const again = (): unknown => {
    scene.buffers = 0;
    return attempt();
  };
  try {
    return await scene.replay.run(again, async (thrown) => {
      if (recovered || !(thrown instanceof LostError)) return false;
      recovered = true;
      scene.memories.clear();
      await scene.device.reopen();
      return true;
    });
  } finally {
    scene.device.releaseAll();
  }
}
