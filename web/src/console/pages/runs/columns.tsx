/** The columns of a list of runs, wherever one stands. */

import type { RunSummary } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { runAddress } from "../../app/routes.ts";
import { Bar } from "../../parts/bar.tsx";
import { Id } from "../../parts/id.tsx";
import { StateMark } from "../../parts/state.tsx";
import { type Column, Table } from "../../table/table.tsx";
import { age, isHeld, jobs } from "../../words/format.ts";
import { PARTS } from "../../words/parts.ts";
import { runPeek } from "../../words/peek.ts";
import { RUNS } from "../../words/runs.ts";
import { runMark } from "../../words/states.ts";
import { listedDoubts } from "../../words/doubts.ts";

const COLUMNS: readonly Column<RunSummary>[] = [
  { id: "name", head: RUNS.columns.name, cell: (run) => <a href={runAddress(run.id)}>{run.name}</a> },
  { id: "state-cell", head: RUNS.columns.state, cell: (run) => <StateMark mark={runMark(run)} /> },
  { id: "progress", head: RUNS.columns.progress, cell: (run) => <Done run={run} /> },
  { id: "when", head: RUNS.columns.when, cell: (run) => <When at={run.createdAt} /> },
  { id: "id-cell", head: RUNS.columns.id, cell: (run) => <Id id={run.id} /> },
];

interface Listed {
  readonly id: string;
  readonly rows: readonly RunSummary[];
  readonly more?: boolean;
}

export function RunTable({ id, rows, more = false }: Listed) {
  const marks = (run: RunSummary) => ({ "data-run": run.id, "data-state": run.state });
  return (
    <Table
      id={id}
      label={RUNS.table}
      columns={COLUMNS}
      rows={rows}
      keyOf={(run) => run.id}
      marks={marks}
      more={more}
      peek={(run) => runPeek(run, now.value)}
    />
  );
}

function Done({ run }: { readonly run: RunSummary }) {
  const text = `${jobs(run.progress)}${listedDoubts(run.doubted ?? 0)}`;
  return (
    <>
      <Bar progress={run.progress} paused={isHeld(run)} label={PARTS.jobsDone} text={text} />
      <span class="muted">{text}</span>
    </>
  );
}

export function When({ at }: { readonly at: number }) {
  const exact = new Date(at).toISOString();
  return (
    <time class="muted" dateTime={exact} title={exact}>
      {age(at, now.value)}
    </time>
  );
}
