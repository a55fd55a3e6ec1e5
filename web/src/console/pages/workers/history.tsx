/** What a worker was handed: a row for each attempt, the newest first, and only those that failed where somebody asks for them. */

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { WorkerAttemptView } from "../../../api/types.gen.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { now } from "../../app/clock.ts";
import { jobAddress } from "../../app/routes.ts";
import { entryShown, replaceEntry } from "../../app/where.ts";
import type { Pages } from "../../data/pages.ts";
import { Empty, Failed, Loading } from "../../parts/faces.tsx";
import { Look } from "../../table/look.tsx";
import { type Column, ShowMore, Table } from "../../table/table.tsx";
import { duration } from "../../words/format.ts";
import { attemptEnding, endTone } from "../../words/jobtext.ts";
import { PARTS } from "../../words/parts.ts";
import { attemptPeek } from "../../words/peek.ts";
import { WORKER } from "../../words/workers.ts";
import { When } from "../runs/columns.tsx";

const { columns } = WORKER;

const COLUMNS: readonly Column<WorkerAttemptView>[] = [
  {
    id: "name",
    head: columns.job,
    cell: ({ job }) => (job === undefined ? <Look>{WORKER.unknownJob}</Look> : <a href={jobAddress(job.id)}>{job.path}</a>),
  },
  {
    id: "end",
    head: columns.end,
    cell: (attempt) => (
      <span class="badge" data-tone={endTone(attempt.end)}>
        {attemptEnding(attempt)}
      </span>
    ),
  },
  { id: "when", head: columns.began, cell: ({ startedAt }) => <When at={startedAt} /> },
  { id: "took", head: columns.took, cell: ({ startedAt, endedAt }) => (endedAt === null ? "" : duration(endedAt - startedAt)) },
  { id: "inside", head: columns.inside, cell: ({ computeMs }) => (computeMs > 0 ? duration(computeMs) : "") },
  { id: "why", head: columns.error, cell: ({ job }) => (job?.message ? <span title={job.message}>{job.message}</span> : null) },
];

/** Whether errors alone are shown stands in the address. */
export function History({ list }: { readonly list: Pages<WorkerAttemptView> }) {
  const onlyErrors = useSignal(useMemo(() => entryShown("errors") === "true", []));
  const turn = (only: boolean): void => {
    onlyErrors.value = only;
    replaceEntry("errors", only ? "true" : "");
  };
  const all = list.rows.value;
  const failed = list.problem.value !== undefined && (
    <Failed problem={list.problem.value} retry={list.again} shownSince={all === undefined ? undefined : list.since.value} />
  );
  const rows = all?.filter(({ end }) => !onlyErrors.value || endTone(end) === "bad");
  const more = list.next.value !== null;
  const counts = all === undefined || rows === undefined ? "" : countsOf(rows.length, all.length, more, onlyErrors.value);
  useAnnounced(counts, String(onlyErrors.value));
  return (
    <section class="listed" data-old={all !== undefined && failed !== false} id="history">
      <div class="section-head">
        <h2>{WORKER.history}</h2>
        <label class="option-line">
          <input type="checkbox" id="only-errors" checked={onlyErrors.value} onChange={(event) => turn(event.currentTarget.checked)} />
          {WORKER.onlyErrors}
        </label>
      </div>
      {failed}
      {rows === undefined && failed === false && <Loading />}
      {rows?.length === 0 && <Nothing filtered={onlyErrors.value} />}
      {rows !== undefined && rows.length > 0 && <Attempts rows={rows} more={more} />}
      <p class="muted counts" id="handed-shown">
        {counts}
      </p>
      <ShowMore id="more-handed" more={more} shown={rows?.length ?? 0} busy={list.busy.value} onMore={() => void list.extend()} />
    </section>
  );
}

function Attempts({ rows, more }: { readonly rows: readonly WorkerAttemptView[]; readonly more: boolean }) {
  return (
    <Table
      id="handed"
      label={WORKER.historyTable}
      columns={COLUMNS}
      rows={rows}
      keyOf={keyOf}
      marks={({ job }) => ({ "data-job": job?.id ?? "" })}
      more={more}
      peek={(attempt) => attemptPeek(attempt, now.value)}
    />
  );
}

/** Errors are counted among those that are listed; nothing where nothing is listed. */
function countsOf(number: number, all: number, more: boolean, filtered: boolean): string {
  if (all === 0) return "";
  return filtered ? PARTS.fittingSome(number, all, more, WORKER.noun) : PARTS.listed(all, more, WORKER.noun);
}

function keyOf({ startedAt, job }: WorkerAttemptView): string {
  return `${startedAt} ${job?.id ?? ""} ${job?.attempt ?? ""}`;
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered) return <Empty title={WORKER.noErrors}>{WORKER.noErrorsWords}</Empty>;
  return (
    <Empty id="nothing-handed" title={WORKER.nothing}>
      {WORKER.nothingWords}
    </Empty>
  );
}
