/** How long a run takes from now on, by what was done lately. Pure. */

import type { Progress } from "../../../api/types.gen.ts";

/** In milliseconds. Nothing is known while nothing gets done, and before a first job has ended. */
export type Left = number | "unknown";

/** Jobs that come to be later are not among those that are left. */
export function timeLeft({ total, done, failed }: Progress, perSecond: number | undefined): Left {
  if (perSecond === undefined || perSecond <= 0) return "unknown";
  return (Math.max(0, total - done - failed) / perSecond) * 1000;
}
