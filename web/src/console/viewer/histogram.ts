/** Bins for numbers: as wide as Freedman and Diaconis say ("On the histogram as a density estimator", 1981). Pure. */

import type { Statistics } from "./statistics.ts";

export interface Histogram {
  /** Where the first bin begins. */
  readonly from: number;
  /** How wide each bin is. */
  readonly width: number;
  readonly counts: readonly number[];
}

export const MAX_BINS = 256;

/** `finite` in their order, and what there is to say of them. */
export function histogramOf(finite: Float64Array, { min, max, lower, upper }: Statistics): Histogram {
  const bins = binsFor(finite.length, max - min, upper - lower);
  // The span of the largest numbers is beyond them.
  const width = max / bins - min / bins;
  const counts = Array.from({ length: bins }, () => 0);
  for (const number of finite) {
    const bin = width > 0 ? Math.floor(number / width - min / width) : 0;
    const at = Math.min(bins - 1, Math.max(0, bin));
    counts[at] = (counts[at] as number) + 1;
  }
  return { from: min, width, counts };
}

function binsFor(count: number, span: number, quartiles: number): number {
  if (count < 2 || span === 0) return 1;
  const width = (2 * quartiles) / Math.cbrt(count);
  // More than half of them are equal, or they reach too far: as many bins as Sturges would have.
  const bins = width > 0 && Number.isFinite(span) ? Math.ceil(span / width) : Math.ceil(Math.log2(count)) + 1;
  return Math.min(MAX_BINS, Math.max(1, bins));
}
