/** What is ready, by what it needs: a row for each class, with the workers that meet it. That nobody does is said in red, with the cure. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WaitingClassView } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { entryShown, replaceEntry } from "../../app/where.ts";
import { FilterBar, NothingFits } from "../../parts/filter.tsx";
import { fits } from "../../parts/fits.ts";
import { Why } from "../../parts/why.tsx";
import { Look } from "../../table/look.tsx";
import { type Column, Table } from "../../table/table.tsx";
import { count } from "../../words/format.ts";
import { needsOf } from "../../words/needs.ts";
import { PARTS } from "../../words/parts.ts";
import { classPeek } from "../../words/peek.ts";
import { QUEUE } from "../../words/queue.ts";
import { When } from "../runs/columns.tsx";

const { classes } = QUEUE;

const COLUMNS: readonly Column<WaitingClassView>[] = [
  { id: "name", head: classes.needs, cell: (row) => <Look title={needsOf(row)}>{needsOf(row)}</Look> },
  { id: "jobs-waiting", head: classes.jobs, cell: ({ jobs }) => count(jobs) },
  { id: "when", head: classes.oldest, cell: ({ oldestAt }) => oldestAt !== null && <When at={oldestAt} /> },
  { id: "meet", head: classes.workers, cell: (row) => <Meet {...row} /> },
  { id: "deeds", head: classes.why, cell: (row) => <Why of={needsOf(row)} ask={() => Promise.resolve({ reasons: row.why })} small /> },
];

export function Classes({ rows }: { readonly rows: readonly WaitingClassView[] }) {
  const asked = useSignal(entryShown("needs"));
  useEffect(() => replaceEntry("needs", asked.value), [asked.value]);
  if (rows.length === 0) return <p class="muted">{classes.none}</p>;
  const found = rows.filter((row) => fits(needsOf(row), asked.value));
  const marks = (row: WaitingClassView) => ({ "data-class": needsOf(row), "data-workers": String(row.workers) });
  const counts = PARTS.fitting(found.length, rows.length, classes.noun, classes.nouns);
  return (
    <div class="filtered">
      <FilterBar
        id="filter-classes"
        name={classes.filter}
        label={classes.needs}
        asked={asked}
        counts={counts}
        command={QUEUE.queueCommand}
      />
      {found.length === 0 ? (
        <NothingFits noun={classes.noun} clear={() => (asked.value = "")} />
      ) : (
        <Table
          id="classes"
          label={classes.table}
          columns={COLUMNS}
          rows={found}
          keyOf={needsOf}
          marks={marks}
          peek={(row) => classPeek(row, now.value)}
        />
      )}
    </div>
  );
}

function Meet({ workers, idle, why }: WaitingClassView) {
  if (workers > 0) return <>{classes.meet(count(workers), count(idle))}</>;
  const cure = why.find((reason) => reason.cure !== undefined)?.cure ?? "";
  return <span class="nobody">{classes.nobody(cure)}</span>;
}
