/** Named queues with stand-alone jobs that wait, the fullest first unless somebody wants another order; each leads to its jobs. */

import type { WaitingQueueView } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { queueAddress } from "../../app/routes.ts";
import { WholeList } from "../../parts/wholelist.tsx";
import { type Column, Table } from "../../table/table.tsx";
import { count } from "../../words/format.ts";
import { queuePeek } from "../../words/peek.ts";
import { QUEUE } from "../../words/queue.ts";
import { When } from "../runs/columns.tsx";
import { NAME_ORDERS } from "./orders.ts";

const { names } = QUEUE;

const COLUMNS: readonly Column<WaitingQueueView>[] = [
  { id: "name", head: names.queue, cell: ({ queue }) => <a href={queueAddress(queue)}>{queue}</a> },
  { id: "ready", head: names.ready, cell: ({ ready }) => count(ready) },
  { id: "delayed", head: names.delayed, cell: ({ delayed }) => count(delayed) },
  { id: "held", head: names.held, cell: ({ held }) => count(held) },
  { id: "when", head: names.oldest, cell: ({ oldestAt }) => oldestAt !== null && <When at={oldestAt} /> },
];

export function Names({ rows }: { readonly rows: readonly WaitingQueueView[] }) {
  return (
    <WholeList
      id="filter-queues"
      name={names.filter}
      label={names.find}
      noun={names.noun}
      command={QUEUE.queueCommand}
      entries={{ asked: "queue", sort: "queue-sort" }}
      rows={rows}
      textOf={({ queue }) => queue}
      orders={NAME_ORDERS}
      empty={null}
    >
      {(found) => (
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
    </WholeList>
  );
}
