/** The jobs of a run: those that went wrong first, by state, node, and what their rows say. What is asked stands in the address. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type JobsFilter, listRunJobs } from "../../../api/client.ts";
import type { JobView, RunView } from "../../../api/types.gen.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { now } from "../../app/clock.ts";
import { routeOf } from "../../app/routes.ts";
import { replaceQuery } from "../../app/where.ts";
import { type JobList, makeJobList } from "../../data/jobs.ts";
import { failuresFirst } from "../../data/runjobs.ts";
import { Empty, Failed, Loading } from "../../parts/faces.tsx";
import { NothingFits } from "../../parts/filter.tsx";
import { Copy, Id } from "../../parts/id.tsx";
import { StateMark } from "../../parts/state.tsx";
import { type Column, ShowMore, Table } from "../../table/table.tsx";
import { JOBS } from "../../words/lookback.ts";
import { PARTS } from "../../words/parts.ts";
import { jobPeek } from "../../words/peek.ts";
import { QUEUE } from "../../words/queue.ts";
import { RUN } from "../../words/run.ts";
import { jobMark } from "../../words/states.ts";
import { tries } from "../../words/jobtext.ts";
import { FailedField, type Fields, NO_FILTER, StateField, TextField, entriesOf, filterIn, isFiltered } from "../queue/jobfields.tsx";
import { Name, Trouble } from "../queue/joblist.tsx";
import { When } from "../runs/columns.tsx";

const COLUMNS: readonly Column<JobView>[] = [
  { id: "name", head: QUEUE.columns.job, cell: (job) => <Name job={job} /> },
  { id: "state-cell", head: QUEUE.columns.state, cell: (job) => <StateMark mark={jobMark(job)} /> },
  { id: "waits", head: JOBS.columns.error, cell: (job) => <Trouble job={job} /> },
  { id: "tries", head: QUEUE.columns.tries, cell: (job) => <span class="muted">{tries(job)}</span> },
  { id: "by", head: JOBS.columns.worker, cell: (job) => job.worker !== undefined && <Id id={job.worker} /> },
  { id: "when", head: QUEUE.columns.when, cell: (job) => <When at={job.enqueuedAt} /> },
];

export function RunJobs({ view: { summary } }: { readonly view: RunView }) {
  const query = useMemo(() => routeOf(location.hash).query, []);
  const asked = useSignal<JobsFilter>(filterIn(query));
  const list = useMemo(
    () => makeJobList(failuresFirst((one, after, limit) => listRunJobs(summary.id, one, after, limit), asked.value)),
    [asked.value],
  );
  useEffect(() => list.stop, [list]);
  useEffect(() => replaceQuery(entriesOf(asked.value)), [asked.value]);
  const clear = (): void => {
    asked.value = NO_FILTER;
  };
  const change = (what: Partial<JobsFilter>): void => {
    asked.value = { ...asked.value, ...what };
  };
  const fields = { asked: asked.value, change };
  return (
    <>
      <form class="filter-bar" aria-label={JOBS.filter} onSubmit={(event) => event.preventDefault()}>
        <StateField {...fields} />
        <NodeField {...fields} />
        <TextField {...fields} />
        <FailedField {...fields} />
      </form>
      <Listed list={list} asked={asked.value} run={summary.id} clear={isFiltered(asked.value) ? clear : undefined} />
    </>
  );
}

function NodeField({ asked: { node }, change }: Fields) {
  return (
    <>
      <label for="jobs-node">{JOBS.node}</label>
      <input
        class="field"
        id="jobs-node"
        type="search"
        value={node ?? ""}
        autocomplete="off"
        onChange={({ currentTarget }) => change({ node: currentTarget.value.trim() === "" ? null : currentTarget.value.trim() })}
      />
    </>
  );
}

interface Shown {
  readonly list: JobList;
  readonly asked: JobsFilter;
  readonly run: string;
  /** `undefined` where nothing is filtered. */
  readonly clear: (() => void) | undefined;
}

function Listed({ list, asked, run, clear }: Shown) {
  const { jobs, problem, since, again, next, busy } = list;
  const failed = problem.value !== undefined && (
    <Failed problem={problem.value} retry={again} shownSince={jobs.value === undefined ? undefined : since.value} />
  );
  const rows = jobs.value;
  const more = next.value !== null;
  const counts = rows === undefined ? "" : JOBS.shown(rows.length, more);
  useAnnounced(counts, JSON.stringify(asked));
  if (rows === undefined) return failed || <Loading />;
  const marks = (job: JobView) => ({ "data-job": job.id, "data-state": job.state });
  return (
    <section data-old={failed !== false}>
      {failed}
      {rows.length === 0 && !more ? (
        <Nothing run={run} clear={clear} />
      ) : (
        <>
          <Table
            id="run-jobs"
            label={QUEUE.table}
            columns={COLUMNS}
            rows={rows}
            keyOf={(job) => job.id}
            marks={marks}
            more={more}
            peek={(job) => jobPeek(job, now.value)}
          />
          <p class="muted counts">
            <span id="jobs-shown">{counts}</span>
            <Copy text={JOBS.command(run, asked)} label={PARTS.copyCommand} />
          </p>
        </>
      )}
      <ShowMore id="more-jobs" more={more} shown={rows.length} busy={busy.value} onMore={() => void list.extend()} />
    </section>
  );
}

function Nothing({ run, clear }: Pick<Shown, "run" | "clear">) {
  if (clear !== undefined) return <NothingFits noun={JOBS.noun} words={JOBS.nothingWords} clear={clear} />;
  return (
    <Empty title={RUN.noJobs} command={JOBS.command(run)}>
      {RUN.noJobsWords}
    </Empty>
  );
}
