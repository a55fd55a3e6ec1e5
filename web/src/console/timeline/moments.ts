/** What a run computed over time as rows of a table: one for each stretch that reaches into the time that is shown. Pure. */

import type { Computed } from "./picture.ts";
import type { Span } from "./span.ts";

export interface Moment {
  readonly from: number;
  readonly mflops: number;
  /** Slots, on average. */
  readonly busy: number;
}

export function momentsOf({ from, widthMs, mflops, busy }: Computed, span: Span): readonly Moment[] {
  const all = mflops.map((rate, bin): Moment => ({ from: from + bin * widthMs, mflops: rate, busy: busy[bin] ?? 0 }));
  return all.filter((one) => one.from < span.to && one.from + widthMs > span.from);
}
