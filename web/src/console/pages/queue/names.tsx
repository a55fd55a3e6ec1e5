/** Named queues with stand-alone jobs that wait, the fullest first; each leads to its jobs. */

import type { WaitingQueueView } from "../../../api/types.gen.ts";
import { queueAddress } from "../../app/routes.ts";
import { type Column, Table } from "../../table/table.tsx";
import { count } from "../../words/format.ts";
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
  if (rows.length === 0) return null;
  const keyOf = ({ project, queue }: WaitingQueueView): string => `${project} ${queue}`;
  const marks = ({ queue, project }: WaitingQueueView) => ({ "data-queue": queue, "data-project": project });
  return <Table id="queues" label={names.table} columns={COLUMNS} rows={rows} keyOf={keyOf} marks={marks} />;
}
