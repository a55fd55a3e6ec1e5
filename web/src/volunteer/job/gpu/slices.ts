/**
 * Kernels that can be run in slices: an entry point that adds an offset, and how large the next slice may be.
 *
 * A WebGPU dispatch cannot be interrupted and begins at 0. So the author's entry point becomes a plain function, called by
 * one of ours that adds where the slice begins. Attributes are blanked and ours stands behind the text: no line and no
 * column moves.
 */

import { type Entry, type Outline, type Triple, blanks } from "./outline.ts";

/** The binding that says where a slice begins; a kernel's own stay below. */
export const SLICE_BINDING = 999;
export const SLICE_BYTES = 32;
const PREFIX = "weevil_slice";
/** A slice should take this long at most, in milliseconds; half of it is aimed for. */
export const SLICE_MS = 50;
const AIM_MS = SLICE_MS / 2;
/** Work items of the first slice of a kernel whose speed is not known. */
const FIRST_ITEMS = 1 << 16;
/** One slice is at most so many times as large as the one before: the first ones tell little. */
const GROWTH = 8;

export interface Sliced {
  readonly text: string;
  readonly entry: string;
}

/** `undefined` where the kernel takes what no slice can be given: it is run in one piece. */
export function sliced(text: string, outline: Outline, entry: Entry): Sliced | undefined {
  if (outline.bindings.some((known) => known.number === SLICE_BINDING)) return undefined;
  const given = entry.parameters.map(({ builtin }, index) => passed(builtin, `p${index}`, entry.size));
  if (given.includes(undefined)) return undefined;
  const plain = blank(blank(text, entry.attributesAt, /@\w+\s*(?:\([^()]*\))?/g), entry.parametersAt, /@\w+\s*\([^()]*\)/g);
  const taken = entry.parameters.map(({ builtin, type }, index) => `@builtin(${builtin}) p${index}: ${type}`);
  const name = `${PREFIX}_${entry.name}`;
  const added = `
@group(0) @binding(${SLICE_BINDING}) var<uniform> ${PREFIX}: array<vec4<u32>, 2>;
@compute @workgroup_size(${entry.size.join(", ")})
fn ${name}(${taken.join(", ")}) { ${entry.name}(${given.join(", ")}); }
`;
  return { text: plain + added, entry: name };
}

function passed(builtin: string | undefined, name: string, size: Triple): string | undefined {
  switch (builtin) {
    case "global_invocation_id":
      return `${name} + ${PREFIX}[0].xyz`;
    case "workgroup_id":
      return `${name} + ${PREFIX}[0].xyz / vec3<u32>(${size.join(", ")})`;
    case "num_workgroups":
      return `${PREFIX}[1].xyz`;
    case "local_invocation_id":
    case "local_invocation_index":
      return name;
    default:
      return undefined;
  }
}

function blank(text: string, [from, to]: readonly [number, number], what: RegExp): string {
  const blanked = text.slice(from, to).replace(what, blanks);
  return text.slice(0, from) + blanked + text.slice(to);
}

/** How fast a kernel is, learnt from its slices. */
export class Pace {
  isKnown = false;
  private items = FIRST_ITEMS;

  /** Rows of `rowItems` work items for the next slice; one at least. */
  rows(rowItems: number): number {
    return Math.max(1, Math.floor(this.items / rowItems));
  }

  took(items: number, ms: number): void {
    this.isKnown = true;
    const fits = ms > 0 ? (items * AIM_MS) / ms : Infinity;
    this.items = Math.max(1, Math.min(fits, items * GROWTH));
  }
}
