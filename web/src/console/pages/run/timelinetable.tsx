/** The facts of a timeline as tables: its attempts, or how busy each slot was, and what the run computed over time. */

import { jobAddress } from "../../app/routes.ts";
import { Quantity } from "../../parts/figures.tsx";
import { Id } from "../../parts/id.tsx";
import { Path } from "../../parts/path.tsx";
import { type Column, Table } from "../../table/table.tsx";
import type { Moment } from "../../timeline/moments.ts";
import type { Bar, Row } from "../../timeline/rows.ts";
import { duration, figure, percent } from "../../words/format.ts";
import { TIMELINE, endWord } from "../../words/lookback.ts";

const { columns: HEADS } = TIMELINE;

const LANES: readonly Column<Row>[] = [
  { id: "name", head: HEADS.worker, cell: (row) => <span>{row.label}</span> },
  { id: "share", head: HEADS.share, cell: (row) => percent(shareOf(row)) },
];

interface Shown {
  readonly rows: readonly Row[];
  readonly moments: readonly Moment[];
  /** What moments are told from. */
  readonly begin: number;
}

export function TimelineTable({ rows, moments, begin }: Shown) {
  return (
    <>
      <Attempts rows={rows} begin={begin} />
      {moments.length > 0 && (
        <>
          <h2>{TIMELINE.overTime}</h2>
          <Table
            id="timeline-moments"
            label={TIMELINE.overTime}
            columns={momentColumns(begin)}
            rows={moments}
            keyOf={({ from }) => String(from)}
            marks={() => ({})}
          />
        </>
      )}
    </>
  );
}

function momentColumns(begin: number): readonly Column<Moment>[] {
  return [
    { id: "name", head: HEADS.began, cell: ({ from }) => <span>{duration(Math.max(0, from - begin))}</span> },
    { id: "mflops", head: HEADS.mflops, cell: ({ mflops }) => <Quantity text={TIMELINE.attained(figure(mflops))} /> },
    { id: "slots", head: HEADS.slots, cell: ({ busy }) => <Quantity text={TIMELINE.slotsBusy(busy)} /> },
  ];
}

function Attempts({ rows, begin }: Pick<Shown, "rows" | "begin">) {
  if (rows.some(({ busy }) => busy !== undefined))
    return <Table id="timeline-lanes" label={TIMELINE.lanesLabel} columns={LANES} rows={rows} keyOf={(row) => row.id} marks={() => ({})} />;
  const bars = rows.flatMap((row) => row.bars).sort((one, other) => one.from - other.from);
  return (
    <Table
      id="timeline-attempts"
      label={TIMELINE.tableLabel}
      columns={attemptColumns(begin)}
      rows={bars}
      keyOf={({ attempt }) => `${attempt.job} ${attempt.number}`}
      marks={({ attempt }) => ({ "data-job": attempt.job, "data-end": attempt.end ?? "" })}
    />
  );
}

function attemptColumns(begin: number): readonly Column<Bar>[] {
  return [
    { id: "name", head: HEADS.job, cell: ({ attempt }) => <JobLink job={attempt.job} path={attempt.path} /> },
    { id: "state-cell", head: HEADS.state, cell: ({ attempt }) => endWord(attempt.end) },
    { id: "by", head: HEADS.worker, cell: ({ attempt }) => <Id id={attempt.worker} /> },
    { id: "slot", head: HEADS.slot, cell: ({ attempt }) => attempt.slot ?? TIMELINE.noSlot },
    { id: "began", head: HEADS.began, cell: ({ from }) => duration(Math.max(0, from - begin)) },
    { id: "took", head: HEADS.took, cell: ({ from, to }) => duration(to - from) },
  ];
}

function JobLink({ job, path }: { readonly job: string; readonly path: string }) {
  return (
    <a href={jobAddress(job)} title={path}>
      <Path path={path} />
    </a>
  );
}

function shareOf({ busy }: Row): number {
  if (busy === undefined || busy.shares.length === 0) return 0;
  return busy.shares.reduce((sum, share) => sum + share, 0) / busy.shares.length;
}
