/**
 * What pages say of values that were believed on the word of a device which was found wrong later.
 *
 * Owns the words. Never says which device that was.
 */

import { counted } from "./format.ts";
import { plural } from "./locale.ts";

const CURE =
  "The same workflow, started again by weevil run --reuse=always, computes what is doubted and what follows from it, and nothing else.";

/** `2 values of this run are doubted: ..`, for the page of a run that has ended. */
export function runDoubts(jobs: number): string {
  if (jobs === 0) return "";
  const many = `${counted(jobs, "value")} of this run ${plural(jobs, "is", "are")} doubted`;
  return `${many}: the device on whose word alone ${plural(jobs, "it was", "they were")} believed was found wrong after the end. ${CURE}`;
}

/** The same for the page of a job. */
export const JOB_DOUBTED = `Its value is doubted: the device on whose word alone it was believed was found wrong later. ${CURE}`;

/** Behind the jobs of a run in a list. */
export function listedDoubts(jobs: number): string {
  return jobs === 0 ? "" : `; ${counted(jobs, "value")} doubted`;
}
