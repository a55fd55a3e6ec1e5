/**
 * A kernel as a job: arguments by position to bindings in the order of their numbers, and the one array that the kernel
 * writes as the result (docs/gpu.md). No JavaScript but the worker's own runs for it.
 */

import type { Device } from "./device.ts";
import { openKernel } from "./kernel.ts";
import { type Binding, outlineOf } from "./outline.ts";
import type { KernelFile } from "./values.ts";

type Numbers = Float32Array | Int32Array | Uint32Array;

/** What a binding has one of, or as many of as it is given. */
interface Element {
  readonly array: new (length: number) => Numbers;
  /** The smallest and largest number, where it must be a whole one. */
  readonly whole?: readonly [number, number];
  /** Numbers in it. */
  readonly width: number;
}

/** By the first letter of the type's name. */
const SCALARS: Readonly<Record<string, Omit<Element, "width">>> = {
  f: { array: Float32Array },
  i: { array: Int32Array, whole: [-(2 ** 31), 2 ** 31 - 1] },
  u: { array: Uint32Array, whole: [0, 2 ** 32 - 1] },
};
/** At the end of `f32`, `vec4<u32>`, `array<vec2f>`, `array<atomic<i32>>`. */
const ELEMENT = /(?:vec([234])<?)?([fiu])(?:32)?[>,]*$/;

/** What a worker calls for such a job. */
export function kernelJob(device: Device, file: KernelFile): (...args: unknown[]) => Promise<unknown> {
  return async (...args) => {
    const kernel = await openKernel(device, [file], file.name);
    const bindings = [...outlineOf(file.text).bindings].sort((one, other) => one.number - other.number);
    const result = bindings.find(({ access }) => access === "readWrite");
    if (result === undefined) throw new Error(`${file.name} has no binding for its result`);
    const given = args.length < bindings.length ? bindings.filter((binding) => binding !== result) : bindings;
    const values = valuesOf(given, args, file.name);
    const written = (values[result.name] ??= zeros(result, given, values)) as Numbers;
    if (written.length > 0) await kernel.run(values, [written.length / elementOf(result.type).width]);
    return written;
  };
}

function valuesOf(bindings: readonly Binding[], args: readonly unknown[], file: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  bindings.forEach((binding, at) => {
    const wrong = unfit(binding, args[at]);
    if (wrong !== undefined) throw new TypeError(`${file}: \`${binding.name}\` ${wrong}`);
    values[binding.name] = args[at];
  });
  return values;
}

/** What is wrong with an argument, in words. */
function unfit({ access, type }: Binding, value: unknown): string | undefined {
  const element = elementOf(type);
  const { array, width } = element;
  if (access === "uniform" && width === 1) return unfitNumber(element, value, type);
  if (!(value instanceof array)) return `is of type ${nameOf(value)}; ${array.name} is expected`;
  const { length } = value;
  if (access === "uniform") return length === width ? undefined : `has ${length} numbers; ${type} has ${width}`;
  if (length === 0 && access === "read") return "has no elements";
  return length % width === 0 ? undefined : `has ${length} numbers; each of its elements takes ${width}`;
}

function unfitNumber({ whole }: Element, value: unknown, type: string): string | undefined {
  if (typeof value !== "number") return `is of type ${nameOf(value)}; Number is expected`;
  if (whole === undefined) return undefined;
  const fits = Number.isInteger(value) && value >= whole[0] && value <= whole[1];
  return fits ? undefined : `is ${value}, which no ${type} can hold`;
}

/** As many elements as the largest input has. */
function zeros(result: Binding, given: readonly Binding[], values: Readonly<Record<string, unknown>>): Numbers {
  const { array, width } = elementOf(result.type);
  const inputs = given.filter(({ access }) => access === "read");
  const elements = inputs.map((input) => (values[input.name] as Numbers).length / elementOf(input.type).width);
  return new array(Math.max(0, ...elements) * width);
}

function elementOf(type: string): Element {
  const [, width = "1", letter = ""] = ELEMENT.exec(type.replace(/\s/g, "")) ?? [];
  const scalar = SCALARS[letter];
  if (scalar === undefined) throw new Error(`${type} is no type that a job can give its kernel`);
  return { ...scalar, width: Number(width) };
}

/** `Array`, `Float64Array`, `Number`, `Undefined` and so on. */
function nameOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
