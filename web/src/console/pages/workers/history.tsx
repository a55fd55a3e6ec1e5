/** What a worker was handed: a row for each attempt, the newest first. The server looks for those that somebody asks for. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { WorkerAttemptView } from "../../../api/types.gen.ts";
import type { AttemptsFilter } from "../../../api/workers.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { now } from "../../app/clock.ts";
import { jobAddress } from "../../app/routes.ts";
import { entryShown, replaceEntry } from "../../app/where.ts";
import type { Pages } from "../../data/pages.ts";
import { makeAttemptList } from "../../data/workers.ts";
import { Empty, Failed, Loading } from "../../parts/faces.tsx";
import { NothingFits } from "../../parts/filter.tsx";
import { useLatest } from "../../parts/latest.ts";
import { SearchField } from "../../parts/searchfield.tsx";
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

interface Shown {
  readonly worker: string;
  /** All of them, which are read anyway. */
  readonly all: Pages<WorkerAttemptView>;
}

/** Which attempts are asked for stands in the address. */
export function History({ worker, all }: Shown) {
  const asked = useSignal<AttemptsFilter>(useMemo(askedFor, []));
  const filtered = asked.value.failed || asked.value.text !== "";
  const reading = useMemo(() => (filtered ? makeAttemptList(worker, asked.value) : all), [asked.value]);
  useEffect(() => (reading === all ? undefined : reading.close), [reading]);
  const list = useLatest(reading, reading.rows.value !== undefined || reading.problem.value !== undefined);
  const change = (what: Partial<AttemptsFilter>): void => {
    asked.value = { ...asked.value, ...what };
    replaceEntry("q", asked.value.text);
    replaceEntry("errors", asked.value.failed ? "true" : "");
  };
  return (
    <section class="listed" id="history">
      <h2>{WORKER.history}</h2>
      <form class="filter-bar" aria-label={WORKER.filter} onSubmit={(event) => event.preventDefault()}>
        <SearchField id="handed-text" label={WORKER.text} text={asked.value.text} change={(text) => change({ text })} />
        <label class="check">
          <input
            type="checkbox"
            id="only-errors"
            checked={asked.value.failed}
            onChange={({ currentTarget }) => change({ failed: currentTarget.checked })}
          />
          {WORKER.onlyErrors}
        </label>
      </form>
      <Listed
        list={list}
        isNew={list === reading}
        asked={asked.value}
        clear={filtered ? () => change({ text: "", failed: false }) : undefined}
      />
    </section>
  );
}

function askedFor(): AttemptsFilter {
  return { text: entryShown("q"), failed: entryShown("errors") === "true" };
}

interface Reading {
  readonly list: Pages<WorkerAttemptView>;
  /** It is the one that is asked for, and not the one before. */
  readonly isNew: boolean;
  readonly asked: AttemptsFilter;
  /** `undefined` where nothing is filtered. */
  readonly clear: (() => void) | undefined;
}

function Listed({ list, isNew, asked, clear }: Reading) {
  const rows = list.rows.value;
  const failed = list.problem.value !== undefined && (
    <Failed problem={list.problem.value} retry={list.again} shownSince={rows === undefined ? undefined : list.since.value} />
  );
  const more = list.next.value !== null;
  const counts = rows === undefined || rows.length === 0 ? "" : PARTS.listed(rows.length, more, WORKER.noun);
  useAnnounced(isNew ? counts : "", JSON.stringify(asked));
  if (rows === undefined) return failed || <Loading />;
  return (
    <div data-old={failed !== false}>
      {failed}
      {rows.length === 0 && !more ? <Nothing clear={clear} /> : <Attempts rows={rows} more={more} />}
      <p class="muted counts" id="handed-shown">
        {counts}
      </p>
      <ShowMore id="more-handed" more={more} shown={rows.length} busy={list.busy.value} onMore={() => void list.extend()} />
    </div>
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

function keyOf({ startedAt, job }: WorkerAttemptView): string {
  return `${startedAt} ${job?.id ?? ""} ${job?.attempt ?? ""}`;
}

function Nothing({ clear }: Pick<Reading, "clear">) {
  if (clear !== undefined) return <NothingFits noun={WORKER.noun} words={WORKER.nothingFits} clear={clear} />;
  return (
    <Empty id="nothing-handed" title={WORKER.nothing}>
      {WORKER.nothingWords}
    </Empty>
  );
}
