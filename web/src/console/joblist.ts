/**
 * A list of jobs that is read page by page, and whose shown part stays up to date while it can be seen.
 *
 * Owns the list and its button. Where the jobs come from says the caller.
 */

import type { JobPage, JobView } from "../api/types.gen.ts";
import { make, setText } from "../dom.ts";
import { age, counted } from "./format.ts";
import { needing, tries, waiting } from "./jobtext.ts";
import { breakable, makeBadge, makeProblem, setBadge, showProblem } from "./parts.ts";
import { jobAddress } from "./route.ts";
import { whileVisible } from "./visible.ts";

/** Jobs that one press of the button brings. */
const PAGE = 50;
/** The server's pages are no longer; jobs beyond stay as they were read. */
const MOST = 1000;
const EVERY_MS = 5000;

type Read = (after: string | null, limit: number) => Promise<JobPage>;

export interface JobList {
  readonly element: HTMLElement;
  readonly stop: () => void;
}

export function makeJobList(read: Read): JobList {
  const list = make("ul", { class: "runs", id: "jobs" });
  const told = make("p", { class: "muted", id: "jobs-shown", role: "status" }, "Loading…");
  const more = make("button", { class: "button", id: "more-jobs", type: "button" }, "Show more");
  const problem = makeProblem();
  const paint = painter(list);
  let shown: readonly JobView[] = [];
  let next: string | null = null;

  function show(jobs: readonly JobView[], after: string | null): void {
    [shown, next] = [jobs, after];
    paint(jobs, Date.now());
    setText(told, jobs.length === 0 ? "No jobs here." : `${counted(jobs.length, "job")} shown${after === null ? "" : ", there are more"}`);
    more.hidden = after === null;
    problem.replaceChildren();
  }
  async function refresh(): Promise<void> {
    const before = shown;
    try {
      const page = await read(null, Math.min(MOST, Math.max(PAGE, before.length)));
      // Whoever asked for more meanwhile has it, and the next look brings the rest up to date.
      if (shown !== before) return;
      const jobs = renewed(page, before);
      show(jobs, jobs.length > page.jobs.length ? next : page.next);
    } catch (refused) {
      showProblem(problem, refused);
    }
  }
  async function extend(): Promise<void> {
    const before = shown;
    try {
      const page = await read(next, PAGE);
      if (shown !== before) return;
      show([...before, ...page.jobs], page.next);
      if (more.hidden) list.children[before.length]?.querySelector("a")?.focus();
    } catch (refused) {
      showProblem(problem, refused);
    }
  }

  more.hidden = true;
  more.addEventListener("click", () => void extend());
  const { stop } = whileVisible(EVERY_MS, refresh);
  return { element: make("div", { class: "job-list" }, problem, list, told, more), stop };
}

/** The first jobs as they are now, and those that were shown beyond them as they were. */
export function renewed({ jobs, next }: JobPage, shown: readonly JobView[]): readonly JobView[] {
  if (next === null) return jobs;
  const ids = new Set(jobs.map((job) => job.id));
  return [...jobs, ...shown.slice(jobs.length).filter((job) => !ids.has(job.id))];
}

interface Row {
  readonly item: HTMLLIElement;
  readonly update: (job: JobView, now: number) => void;
}

/** Updates rows in place, so that focus and scrolling stay where they are. */
function painter(list: HTMLElement): (jobs: readonly JobView[], now: number) => void {
  const rows = new Map<string, Row>();
  return (jobs, now) => {
    const kept = new Set(jobs.map((job) => job.id));
    for (const [id, row] of rows) {
      if (kept.has(id)) continue;
      row.item.remove();
      rows.delete(id);
    }
    jobs.forEach((job, index) => {
      const row = rows.get(job.id) ?? makeRow(job);
      rows.set(job.id, row);
      row.update(job, now);
      if (list.children[index] !== row.item) list.insertBefore(row.item, list.children[index] ?? null);
    });
  };
}

function makeRow({ id, path, needs, enqueuedAt }: JobView): Row {
  const badge = makeBadge();
  const [wait, attempts] = [make("span"), make("span", { class: "muted" })];
  const when = make("time", { class: "muted run-age", datetime: new Date(enqueuedAt).toISOString() });
  const about = make("span", { class: "muted job-waits" }, wait);
  if (needing(needs) !== "") about.append(make("span", {}, needing(needs)));
  const name = make("strong", { class: "run-name" }, ...breakable(path));
  const item = make("li", { "data-job": id }, make("a", { class: "card run", href: jobAddress(id) }, name, badge, about, attempts, when));
  const update = (job: JobView, now: number): void => {
    item.dataset["state"] = job.state;
    setBadge(badge, job.state);
    setText(wait, waiting(job, now));
    setText(attempts, tries(job));
    setText(when, age(enqueuedAt, now));
  };
  return { item, update };
}
