/** The jobs of a queue as a table, and cells that those of a run have as well. */

import { useEffect, useMemo } from "preact/hooks";
import type { JobsFilter } from "../../../api/client.ts";
import type { JobPage, JobView } from "../../../api/types.gen.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { now } from "../../app/clock.ts";
import { jobAddress } from "../../app/routes.ts";
import { type JobList, makeSoughtJobList } from "../../data/jobs.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { Copy } from "../../parts/id.tsx";
import { useLatest } from "../../parts/latest.ts";
import { Path } from "../../parts/path.tsx";
import { StateMark } from "../../parts/state.tsx";
import { type Column, ShowMore, Table } from "../../table/table.tsx";
import { needing, tries, waiting } from "../../words/jobtext.ts";
import { PARTS } from "../../words/parts.ts";
import { jobPeek } from "../../words/peek.ts";
import { QUEUE } from "../../words/queue.ts";
import { jobMark } from "../../words/states.ts";
import { When } from "../runs/columns.tsx";

const COLUMNS: readonly Column<JobView>[] = [
  { id: "name", head: QUEUE.columns.job, cell: (job) => <Name job={job} /> },
  { id: "state-cell", head: QUEUE.columns.state, cell: (job) => <StateMark mark={jobMark(job)} /> },
  { id: "waits", head: QUEUE.columns.trouble, cell: (job) => <Trouble job={job} /> },
  { id: "tries", head: QUEUE.columns.tries, cell: (job) => <span class="muted">{tries(job)}</span> },
  { id: "when", head: QUEUE.columns.when, cell: (job) => <When at={job.enqueuedAt} /> },
];

interface Listed {
  /** Which ones are meant. */
  readonly asked: JobsFilter;
  readonly read: (after: string | null, limit: number) => Promise<JobPage>;
  /** What lists the same in a shell. */
  readonly command: string;
  /** What stands where there are no jobs. */
  readonly empty: preact.ComponentChildren;
}

export function Jobs({ asked, read, command, empty }: Listed) {
  const reading = useMemo(() => makeSoughtJobList(read), [asked]);
  useEffect(() => reading.stop, [reading]);
  const list = useLatest(reading, reading.jobs.value !== undefined || reading.problem.value !== undefined);
  const { jobs, problem, since, again, next } = list;
  const isNew = list === reading && jobs.value !== undefined;
  useAnnounced(isNew ? QUEUE.shown(jobs.value?.length ?? 0, next.value !== null) : "", JSON.stringify(asked));
  const nothing = useLatest(empty, list === reading);
  const failed = problem.value !== undefined && (
    <Failed problem={problem.value} retry={again} shownSince={jobs.value === undefined ? undefined : since.value} />
  );
  if (jobs.value === undefined) return failed || <Loading />;
  return (
    <section data-old={failed !== false}>
      {failed}
      {jobs.value.length === 0 && next.value === null ? nothing : <Rows list={list} jobs={jobs.value} command={command} />}
    </section>
  );
}

function Rows({ list, jobs, command }: { readonly list: JobList; readonly jobs: readonly JobView[]; readonly command: string }) {
  const more = list.next.value !== null;
  const marks = (job: JobView) => ({ "data-job": job.id, "data-state": job.state });
  return (
    <>
      <Table
        id="jobs"
        label={QUEUE.table}
        columns={COLUMNS}
        rows={jobs}
        keyOf={(job) => job.id}
        marks={marks}
        more={more}
        peek={(job) => jobPeek(job, now.value)}
      />
      <p class="muted counts">
        <span id="jobs-shown">{QUEUE.shown(jobs.length, more)}</span>
        <Copy text={command} label={PARTS.copyCommand} />
      </p>
      <ShowMore id="more-jobs" more={more} shown={jobs.length} busy={list.busy.value} onMore={() => void list.extend()} />
    </>
  );
}

export function Name({ job }: { readonly job: JobView }) {
  return (
    <a href={jobAddress(job.id)} title={job.path}>
      <Path path={job.path} />
    </a>
  );
}

/** Its newest error, a stranger's text; else what it waits for. */
export function Trouble({ job }: { readonly job: JobView }) {
  if (job.error === undefined) return <span class="muted">{waits(job)}</span>;
  return (
    <span class="trouble" title={job.error}>
      {job.error}
    </span>
  );
}

/** What it waits for, in a row. */
function waits(job: JobView): string {
  return [waiting(job, now.value), needing(job.needs)].filter((text) => text !== "").join("; ");
}
