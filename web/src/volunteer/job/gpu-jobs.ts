/**
 * Jobs with a GPU: the runtime, loaded with the first of them, and the names that their code finds.
 *
 * Knows the loop's job only as a function to call, as often as the GPU runtime wants.
 */

import type { CodeKind, SlotKernel } from "../../api/types.gen.ts";
import type { Clock, GpuRuntime } from "./gpu/main.ts";
import { loadGpu } from "./gpu-loader.ts";
import { Pledge, bare } from "./primordials.ts";
import { type Program, compile } from "./program.ts";

/** Taken before strangers' code runs. */
const later = setTimeout.bind(globalThis);
const CLOCK: Omit<Clock, "lost" | "hold"> = {
  now: performance.now.bind(performance),
  pause: (ms) => new Pledge((resolve) => void later(resolve, ms)),
};

interface GpuCode {
  readonly codeKind: CodeKind;
  readonly text: string;
  readonly source: string;
  readonly kernels?: readonly SlotKernel[];
}

export class GpuJobs {
  private runtime: Promise<GpuRuntime> | undefined;
  private duty = 1;
  private readonly news: Pick<Clock, "lost" | "hold">;

  constructor(news: Pick<Clock, "lost" | "hold">) {
    this.news = news;
  }

  /** The module comes once, with the first code. */
  load(module: Uint8Array): void {
    this.runtime ??= loadGpu(new Uint8Array(module), { ...CLOCK, ...this.news });
    this.setDuty(this.duty);
  }

  /** The share of time in which jobs may use the GPU, above 0 and up to 1. */
  setDuty(share: number): void {
    this.duty = share;
    this.runtime?.then(
      (runtime) => {
        runtime.setDuty(share);
      },
      // Whoever runs a job hears of it.
      () => undefined,
    );
  }

  /** A kernel that is the code itself, or JavaScript that finds the names of GPU jobs. */
  async program({ codeKind, text, source, kernels = [] }: GpuCode): Promise<Program> {
    const { names, weevil, kernelJob } = await this.opened();
    const [kernel] = kernels;
    if (codeKind === "wgsl" && kernel !== undefined) return bare({ main: kernelJob(kernel), packed: false });
    const common = (globalThis as { weevil?: object }).weevil;
    return compile(text, source, { ...names, weevil: Object.freeze({ ...common, ...weevil }) });
  }

  /** Calls `attempt` again after each time that it had to wait for the GPU. */
  async run(kernels: readonly SlotKernel[], attempt: () => unknown): Promise<unknown> {
    return (await this.opened()).run(kernels, attempt);
  }

  private opened(): Promise<GpuRuntime> {
    return this.runtime ?? Pledge.reject(new Error("the GPU runtime was never sent"));
  }
}
