/**
 * Loads the GPU runtime when the first GPU job arrives: a WebAssembly module that carries its own script.
 *
 * Knows nothing of kernels. Without a network of its own it is given the bytes.
 */

import { decodeText } from "./primordials.ts";
import type { Clock, GpuRuntime } from "./gpu/main.ts";

/** The custom section that holds the script; web/build/gpu.ts puts it there. */
const SECTION = "weevil-script";
const evaluate = eval as (text: string) => { readonly start: (module: WebAssembly.Module, clock: Clock) => Promise<GpuRuntime> };
const { Module } = WebAssembly;
const { customSections } = Module;

export function loadGpu(bytes: Uint8Array<ArrayBuffer>, clock: Clock): Promise<GpuRuntime> {
  const module = new Module(bytes);
  const [script] = customSections(module, SECTION);
  if (script === undefined) throw new Error("the GPU module has no script");
  return evaluate(decodeText(script)).start(module, clock);
}
