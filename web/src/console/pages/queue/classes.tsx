/** What is ready, by what it needs: a row for each class, with the workers that meet it. That nobody does is said in red, with the cure. */

import type { WaitingClassView } from "../../../api/types.gen.ts";
import { Why } from "../../parts/why.tsx";
import { type Column, Table } from "../../table/table.tsx";
import { count } from "../../words/format.ts";
import { needsOf } from "../../words/needs.ts";
import { QUEUE } from "../../words/queue.ts";
import { When } from "../runs/columns.tsx";

const { classes } = QUEUE;

const COLUMNS: readonly Column<WaitingClassView>[] = [
  { id: "name", head: classes.needs, cell: (row) => <span title={needsOf(row)}>{needsOf(row)}</span> },
  { id: "jobs-waiting", head: classes.jobs, cell: ({ jobs }) => count(jobs) },
  { id: "when", head: classes.oldest, cell: ({ oldestAt }) => oldestAt !== null && <When at={oldestAt} /> },
  { id: "meet", head: classes.workers, cell: (row) => <Meet {...row} /> },
  { id: "deeds", head: classes.why, cell: (row) => <Why of={needsOf(row)} ask={() => Promise.resolve({ reasons: row.why })} small /> },
];

export function Classes({ rows }: { readonly rows: readonly WaitingClassView[] }) {
  if (rows.length === 0) return <p class="muted">{classes.none}</p>;
  const marks = (row: WaitingClassView) => ({ "data-class": needsOf(row), "data-workers": String(row.workers) });
  return <Table id="classes" label={classes.table} columns={COLUMNS} rows={rows} keyOf={needsOf} marks={marks} />;
}

function Meet({ workers, idle, why }: WaitingClassView) {
  if (workers > 0) return <>{classes.meet(count(workers), count(idle))}</>;
  const cure = why.find((reason) => reason.cure !== undefined)?.cure ?? "";
  return <span class="nobody">{classes.nobody(cure)}</span>;
}
