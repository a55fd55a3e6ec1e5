/** A list of jobs that is read page by page. Where the jobs come from says the caller; how lists are read, `pages.ts`. */

import type { JobPage } from "../../api/types.gen.ts";
import { makePages } from "./pages.ts";

/** Jobs that one press of the button brings. */
const PAGE = 50;

type Read = (after: string | null, limit: number) => Promise<JobPage>;

export function makeJobList(read: Read) {
  const part = async (after: string | null, limit: number) => {
    const { jobs, next } = await read(after, limit);
    return { rows: jobs, next };
  };
  const { rows, close, ...list } = makePages(part, (job) => job.id, PAGE);
  return { ...list, jobs: rows, stop: close };
}

export type JobList = ReturnType<typeof makeJobList>;
