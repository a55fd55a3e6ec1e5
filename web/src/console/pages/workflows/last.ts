/** How the runs of several versions stand, taken together. Pure. */

import type { WorkflowVersionView } from "../../../api/types.gen.ts";

type Version = Pick<WorkflowVersionView, "lastRun" | "runs">;

export interface Runs {
  readonly lastRun: Version["lastRun"];
  /** How many there are of each version. */
  readonly runs: readonly number[];
}

/** The newest run of any of them, and how many there are. */
export function together(versions: readonly Version[]): Runs {
  const newest = versions.flatMap(({ lastRun }) => lastRun ?? []).sort((one, other) => other.createdAt - one.createdAt)[0];
  return { lastRun: newest ?? null, runs: versions.map(({ runs }) => runs) };
}
