/**
 * A list of jobs that is read page by page, and whose shown part stays up to date while it can be seen.
 *
 * Owns asking for it. Where the jobs come from says the caller.
 */

import { signal } from "@preact/signals";
import type { JobPage, JobView } from "../../api/types.gen.ts";
import { whileVisible } from "../live/visible.ts";

/** Jobs that one press of the button brings. */
const PAGE = 50;
/** The server's pages are no longer; jobs beyond stay as they were read. */
const MOST = 1000;
const EVERY_MS = 5000;

type Read = (after: string | null, limit: number) => Promise<JobPage>;

export function makeJobList(read: Read) {
  const jobs = signal<readonly JobView[] | undefined>(undefined);
  const next = signal<string | null>(null);
  const busy = signal(false);
  const problem = signal<unknown>(undefined);
  const since = signal(0);

  function show(all: readonly JobView[], after: string | null): void {
    [jobs.value, next.value, problem.value, since.value] = [all, after, undefined, Date.now()];
  }
  async function refresh(): Promise<void> {
    const before = jobs.value;
    try {
      const page = await read(null, Math.min(MOST, Math.max(PAGE, before?.length ?? 0)));
      // Whoever asked for more meanwhile has it, and the next look brings the rest up to date.
      if (jobs.value !== before) return;
      const all = renewed(page, before ?? []);
      show(all, all.length > page.jobs.length ? next.value : page.next);
    } catch (refused) {
      problem.value = refused;
    }
  }
  async function extend(): Promise<void> {
    const before = jobs.value ?? [];
    busy.value = true;
    try {
      const page = await read(next.value, PAGE);
      if (jobs.value === before) show([...before, ...page.jobs], page.next);
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy.value = false;
    }
  }
  const watch = whileVisible(EVERY_MS, refresh);
  return { jobs, next, busy, problem, since, extend, again: watch.now, stop: watch.stop };
}

export type JobList = ReturnType<typeof makeJobList>;

/** The first jobs as they are now, and those that were shown beyond them as they were. */
export function renewed({ jobs, next }: JobPage, shown: readonly JobView[]): readonly JobView[] {
  if (next === null) return jobs;
  const ids = new Set(jobs.map((job) => job.id));
  return [...jobs, ...shown.slice(jobs.length).filter((job) => !ids.has(job.id))];
}
