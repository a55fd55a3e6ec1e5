/** What is ready, by what it needs: a row for each class, with the workers that meet it. That nobody does is said in red, with the cure. */

import type { WaitingClassView } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { WholeList } from "../../parts/wholelist.tsx";
import { Why } from "../../parts/why.tsx";
import { Look } from "../../table/look.tsx";
import { type Column, Table } from "../../table/table.tsx";
import { count } from "../../words/format.ts";
import { needsOf } from "../../words/needs.ts";
import { classPeek } from "../../words/peek.ts";
import { QUEUE } from "../../words/queue.ts";
import { When } from "../runs/columns.tsx";
import { CLASS_ORDERS } from "./orders.ts";

const { classes } = QUEUE;

const COLUMNS: readonly Column<WaitingClassView>[] = [
  { id: "name", head: classes.needs, cell: (row) => <Look title={needsOf(row)}>{needsOf(row)}</Look> },
  { id: "jobs-waiting", head: classes.jobs, cell: ({ jobs }) => count(jobs) },
  { id: "when", head: classes.oldest, cell: ({ oldestAt }) => oldestAt !== null && <When at={oldestAt} /> },
  { id: "meet", head: classes.workers, cell: (row) => <Meet {...row} /> },
  { id: "deeds", head: classes.why, cell: (row) => <Why of={needsOf(row)} ask={() => Promise.resolve({ reasons: row.why })} small /> },
];

export function Classes({ rows }: { readonly rows: readonly WaitingClassView[] }) {
  return (
    <WholeList
      id="filter-classes"
      name={classes.filter}
      label={classes.needs}
      noun={classes.noun}
      nouns={classes.nouns}
      command={QUEUE.queueCommand}
      entries={{ asked: "needs", sort: "needs-sort" }}
      rows={rows}
      textOf={needsOf}
      orders={CLASS_ORDERS}
      empty={<p class="muted">{classes.none}</p>}
    >
      {(found) => (
        <Table
          id="classes"
          label={classes.table}
          columns={COLUMNS}
          rows={found}
          keyOf={needsOf}
          marks={(row) => ({ "data-class": needsOf(row), "data-workers": String(row.workers) })}
          peek={(row) => classPeek(row, now.value)}
        />
      )}
    </WholeList>
  );
}

function Meet({ workers, idle, why }: WaitingClassView) {
  if (workers > 0) return <>{classes.meet(count(workers), count(idle))}</>;
  const cure = why.find((reason) => reason.cure !== undefined)?.cure ?? "";
  return <span class="nobody">{classes.nobody(cure)}</span>;
}
