/**
 * `weevil.kernel(name)`: the asynchronous way to the GPU. Named bindings in, the same typed arrays written.
 *
 * A run whose device was lost is repeated once on a new one: its input is still the job's.
 */

import type { Memory } from "../../../wasm/weevil_gpu.js";
import { type Device, LostError, type Program, type Runnable, groupsFor } from "./device.ts";
import type { Binding } from "./outline.ts";
import { type KernelFile, UNIFORM_BYTES, bytesOf, fileNamed, shown, uniformBytes } from "./values.ts";

type Values = Readonly<Record<string, unknown>>;

export interface KernelHandle {
  /** Work items of one workgroup. */
  readonly workgroup: readonly number[];
  /** Fills the arrays of all bindings that the kernel may write, and answers `values`. */
  readonly run: (values: Values, items: readonly number[]) => Promise<Values>;
}

export async function openKernel(device: Device, files: readonly KernelFile[], name: string, entry?: string): Promise<KernelHandle> {
  const file = fileNamed(files, name);
  const { entry: found } = await runnable(device, file, entry);
  const run = async (values: Values, items: readonly number[]): Promise<Values> => {
    try {
      return await once(device, file, found.name, values, items);
    } catch (thrown) {
      if (!(thrown instanceof LostError)) throw thrown;
      await device.reopen();
      return once(device, file, found.name, values, items);
    }
  };
  return Object.freeze({ workgroup: found.size, run });
}

async function runnable(device: Device, file: KernelFile, entry?: string): Promise<Runnable & { program: Program }> {
  const program = await compiled(device, file);
  const names = [...program.runnables.keys()];
  const wanted = entry ?? (names.length === 1 ? names[0] : undefined);
  const found = wanted === undefined ? undefined : program.runnables.get(wanted);
  if (found !== undefined) return { ...found, program };
  throw new Error(`which kernel of ${file.name}? It has ${names.join(", ") || "none"}`);
}

/** Errors of a text begin with its file, line and column. */
export async function compiled(device: Device, { name, text }: KernelFile): Promise<Program> {
  try {
    return await device.program(text);
  } catch (thrown) {
    if (thrown instanceof LostError) throw thrown;
    // oxlint-disable-next-line preserve-caught-error -- a job reads this error: what the device threw is not for it.
    throw new Error(`${name}:${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

async function once(device: Device, file: KernelFile, entry: string, values: Values, items: readonly number[]): Promise<Values> {
  const what = await runnable(device, file, entry);
  const { bindings } = what.program.outline;
  const made: Memory[] = [];
  try {
    const bound = new Map<number, Memory>();
    for (const binding of bindings) {
      const memory = filled(device, binding, values[binding.name]);
      made.push(memory);
      bound.set(binding.number, memory);
    }
    await device.run(what, bound, groupsFor(items, what.entry.size));
    await readBack(device, bindings, bound, values);
  } finally {
    for (const memory of made) device.release(memory);
  }
  return values;
}

async function readBack(device: Device, bindings: readonly Binding[], bound: ReadonlyMap<number, Memory>, values: Values): Promise<void> {
  const written = bindings.filter((binding) => binding.access === "readWrite");
  await Promise.all(
    written.map(async ({ number, name }) => {
      const into = bytesOf(values[name], `\`${name}\``);
      into.set(await device.read(bound.get(number) as Memory, 0, into.length));
    }),
  );
  if (written.length === 0) await device.settle();
}

function filled(device: Device, binding: Binding, value: unknown): Memory {
  const { access, name } = binding;
  if (value === undefined) throw new TypeError(`\`${name}\` is missing: the kernel has a binding of this name`);
  if (access !== "uniform" && !ArrayBuffer.isView(value)) {
    throw new TypeError(`\`${name}\` is ${shown(value)}; a typed array is expected`);
  }
  const bytes = access === "uniform" ? uniformBytes(value, binding) : bytesOf(value, `\`${name}\``);
  const memory = device.memory(access === "uniform" ? Math.max(bytes.length, UNIFORM_BYTES) : bytes.length);
  device.write(memory, 0, bytes);
  return memory;
}
