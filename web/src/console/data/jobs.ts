/** A list of jobs that is read page by page. Where the jobs come from says the caller; how lists are read, `pages.ts`. */

import type { JobPage, JobView } from "../../api/types.gen.ts";
import { type Read as ReadPart, lookThrough, makePages } from "./pages.ts";

/** Jobs that one press of the button brings. */
const PAGE = 50;

type Read = (after: string | null, limit: number) => Promise<JobPage>;

export function makeJobList(read: Read) {
  return listOf(partOf(read));
}

/** The same of a list that the server looks through. */
export function makeSoughtJobList(read: Read) {
  return listOf(lookThrough(partOf(read)));
}

function partOf(read: Read): ReadPart<JobView> {
  return async (after, limit) => {
    const { jobs, next } = await read(after, limit);
    return { rows: jobs, next };
  };
}

function listOf(read: ReadPart<JobView>) {
  const { rows, close, ...list } = makePages(read, (job) => job.id, PAGE);
  return { ...list, jobs: rows, stop: close };
}

export type JobList = ReturnType<typeof makeJobList>;
