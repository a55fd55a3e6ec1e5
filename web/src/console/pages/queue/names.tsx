/** Named queues with stand-alone jobs that wait, the fullest first; each leads to its jobs. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WaitingQueueView } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { queueAddress } from "../../app/routes.ts";
import { entryShown, replaceEntry } from "../../app/where.ts";
import { FilterBar, NothingFits } from "../../parts/filter.tsx";
import { fits } from "../../parts/fits.ts";
import { type Column, Table } from "../../table/table.tsx";
import { count } from "../../words/format.ts";
import { PARTS } from "../../words/parts.ts";
import { queuePeek } from "../../words/peek.ts";
import { QUEUE } from "../../words/queue.ts";
import { When } from "../runs/columns.tsx";

const { names } = QUEUE;

const COLUMNS: readonly Column<WaitingQueueView>[] = [
  { id: "name", head: names.queue, cell: ({ queue }) => <a href={queueAddress(queue)}>{queue}</a> },
  { id: "ready", head: names.ready, cell: ({ ready }) => count(ready) },
  { id: "delayed", head: names.delayed, cell: ({ delayed }) => count(delayed) },
  { id: "held", head: names.held, cell: ({ held }) => count(held) },
  { id: "when", head: names.oldest, cell: ({ oldestAt }) => oldestAt !== null && <When at={oldestAt} /> },
];

export function Names({ rows }: { readonly rows: readonly WaitingQueueView[] }) {
  const asked = useSignal(entryShown("queue"));
  useEffect(() => replaceEntry("queue", asked.value), [asked.value]);
  if (rows.length === 0) return null;
  const found = rows.filter(({ queue }) => fits(queue, asked.value));
  const counts = PARTS.fitting(found.length, rows.length, names.noun);
  return (
    <div class="filtered">
      <FilterBar id="filter-queues" name={names.filter} label={names.find} asked={asked} counts={counts} />
      {found.length === 0 ? (
        <NothingFits noun={names.noun} clear={() => (asked.value = "")} />
      ) : (
        <Table
          id="queues"
          label={names.table}
          columns={COLUMNS}
          rows={found}
          keyOf={({ project, queue }) => `${project} ${queue}`}
          marks={({ queue, project }) => ({ "data-queue": queue, "data-project": project })}
          peek={(row) => queuePeek(row, now.value)}
        />
      )}
    </div>
  );
}
