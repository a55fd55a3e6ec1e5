/** How a bar of progress is cut into segments. Pure. */

import type { Progress } from "../../api/types.gen.ts";
import type { Shape } from "../words/states.ts";

export interface Segment {
  readonly shape: Shape;
  /** A part of the whole bar, 0..1. */
  readonly share: number;
}

/**
 * In the order in which they stand; those without a share are left out. Reused jobs are among those done. `paused`: nothing is handed
 * out, and what is queued is held.
 */
export function segments(progress: Progress, paused = false): readonly Segment[] {
  const { total, queued, running, done, failed, answered = 0, reused = 0 } = progress;
  const all = Math.max(total, done + failed + running + answered + queued);
  if (all === 0) return [];
  const parts: readonly (readonly [Shape, number])[] = [
    ["finished", Math.max(0, done - reused)],
    ["reused", Math.min(reused, done)],
    ["failed", failed],
    ["held", paused ? answered + queued : answered],
    ["running", running],
    ["queued", paused ? 0 : queued],
  ];
  return parts.filter(([, jobs]) => jobs > 0).map(([shape, jobs]) => ({ shape, share: jobs / all }));
}
