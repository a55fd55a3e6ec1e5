/**
 * Loads the GPU runtime when the first GPU job arrives: a WebAssembly module that carries its own script.
 *
 * The script's text is given its global names as parameters, taken before strangers' code: the browser's GPU among them,
 * which no job ever finds. Knows nothing of kernels. Without a network of its own it is given the bytes.
 */

import type { Clock, GpuRuntime } from "./gpu/main.ts";
import { apply, decodeText, keysOf, list } from "./primordials.ts";

/** The custom section that holds the script; web/build/gpu.ts puts it there. */
const SECTION = "weevil-script";
type Script = { readonly start: (module: WebAssembly.Module, clock: Clock) => Promise<GpuRuntime> };
// oxlint-disable-next-line no-eval -- a job worker has no other way to a script: its policy closes import().
const evaluate = eval as (text: string) => (...names: unknown[]) => Script;
const { Module } = WebAssembly;
const { customSections } = Module;

/** What wgpu takes for the global object of a worker. */
const realm = {
  __proto__: null,
  navigator: { __proto__: null, gpu: (globalThis.navigator as { gpu?: object } | undefined)?.gpu },
  WorkerGlobalScope: (globalThis as { WorkerGlobalScope?: unknown }).WorkerGlobalScope,
  queueMicrotask: globalThis.queueMicrotask.bind(globalThis),
};
const BUILT_IN = [
  "Array",
  "ArrayBuffer",
  "DataView",
  "Error",
  "FinalizationRegistry",
  "Float32Array",
  "Int32Array",
  "JSON",
  "Map",
  "Math",
  "Number",
  "Object",
  "Promise",
  "RangeError",
  "Reflect",
  "RegExp",
  "Set",
  "String",
  "Symbol",
  "TextDecoder",
  "TextEncoder",
  "TypeError",
  "Uint32Array",
  "Uint8Array",
  "GPUOutOfMemoryError",
  "GPUValidationError",
  "GPUInternalError",
  "GPUError",
] as const;
const { navigator, WorkerGlobalScope, queueMicrotask } = realm;
const names = {
  __proto__: null,
  globalThis: realm,
  self: realm,
  window: undefined,
  navigator,
  WorkerGlobalScope,
  queueMicrotask,
} as Record<string, unknown>;
/** Not the object that jobs find, whose makers of memory are bounded. */
const wasm = Object.create(null, Object.getOwnPropertyDescriptors(WebAssembly)) as object;
for (const name of BUILT_IN) names[name] = (globalThis as unknown as Record<string, unknown>)[name];
names["WebAssembly"] = wasm;

export function loadGpu(bytes: Uint8Array<ArrayBuffer>, clock: Clock): Promise<GpuRuntime> {
  const module = new Module(bytes);
  const [script] = customSections(module, SECTION);
  if (script === undefined) throw new Error("the GPU module has no script");
  const given = keysOf(names);
  let parameters = "";
  const values = list<unknown>();
  for (let index = 0; index < given.length; index++) {
    parameters += index === 0 ? given[index] : `,${given[index]}`;
    values[index] = names[given[index] as string];
  }
  const make = evaluate(`(function(${parameters}){return ${decodeText(script)}\n})`);
  return apply(make, undefined, values as unknown[]).start(module, clock);
}
