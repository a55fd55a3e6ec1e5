/** How the runs of several versions stand, taken together. Pure. */

import type { WorkflowVersionView } from "../../../api/types.gen.ts";

export type Runs = Pick<WorkflowVersionView, "lastRun" | "runs">;

/** The newest run of any of them, and how many there are. */
export function together(versions: readonly Runs[]): Runs {
  const newest = versions.flatMap(({ lastRun }) => lastRun ?? []).sort((one, other) => other.createdAt - one.createdAt)[0];
  return { lastRun: newest ?? null, runs: versions.reduce((sum, { runs }) => sum + runs, 0) };
}
