/**
 * The jobs of a run for its page: those that went wrong first, then all others, as one list.
 *
 * Pure but for what it is given to read with. Pages of the server may hold fewer jobs than were asked for, or none at all.
 */

import type { JobsFilter } from "../../api/client.ts";
import type { JobPage, JobView } from "../../api/types.gen.ts";

export type ReadJobs = (asked: JobsFilter, after: string | null, limit: number) => Promise<JobPage>;

/** Looks at one page that are taken before some of it are shown. */
const MOST_LOOKS = 20;
/** What stands in front of a mark: of which of the two lists it is. */
const FAILED = "failed ";
const REST = "rest ";

/** Whether a job went wrong at least once, as the server has it. */
export function wentWrong({ failures, state }: Pick<JobView, "failures" | "state">): boolean {
  return failures > 0 || state === "FAILED";
}

/** Reads both lists as one. A page ends where it is full, or where the looks are used up. */
export function failuresFirst(read: ReadJobs, asked: JobsFilter) {
  return async (after: string | null, limit: number): Promise<JobPage> => {
    const jobs: JobView[] = [];
    let next = after ?? FAILED;
    for (let looks = 0; looks < MOST_LOOKS && jobs.length < limit; looks++) {
      const failed = next.startsWith(FAILED);
      const mark = next.slice((failed ? FAILED : REST).length);
      const page = await read({ ...asked, failed }, mark === "" ? null : mark, limit - jobs.length);
      jobs.push(...(failed ? page.jobs : page.jobs.filter((job) => !wentWrong(job))));
      const isOver = page.next === null && (!failed || asked.failed);
      if (isOver) return { jobs, next: null };
      next = page.next === null ? REST : (failed ? FAILED : REST) + page.next;
    }
    return { jobs, next };
  };
}
