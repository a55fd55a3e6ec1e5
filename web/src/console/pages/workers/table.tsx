/** The connected workers as a table. */

import type { WorkerView } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { Id } from "../../parts/id.tsx";
import { type Column, Table } from "../../table/table.tsx";
import { clock, count } from "../../words/format.ts";
import { WORKERS } from "../../words/workers.ts";
import { When } from "../runs/columns.tsx";

const { columns } = WORKERS;

const COLUMNS: readonly Column<WorkerView>[] = [
  { id: "name", head: columns.agent, cell: ({ agent }) => <span title={agent}>{agent}</span> },
  { id: "busy", head: columns.slots, cell: ({ inFlight, slots }) => WORKERS.busy(count(Math.min(inFlight, slots)), count(slots)) },
  { id: "done", head: columns.done, cell: ({ done }) => count(done) },
  { id: "rank", head: columns.rank, cell: (worker) => <span class="muted">{standing(worker)}</span> },
  {
    id: "device",
    head: columns.device,
    cell: ({ device }) => (device === undefined ? <span class="muted">{WORKERS.keyless}</span> : <code>{device}</code>),
  },
  { id: "when", head: columns.since, cell: ({ connectedAt }) => <When at={connectedAt} /> },
  { id: "id-cell", head: columns.id, cell: ({ id }) => <Id id={id} /> },
];

export function WorkerTable({ rows, more }: { readonly rows: readonly WorkerView[]; readonly more: boolean }) {
  return (
    <Table
      id="workers"
      label={WORKERS.table}
      columns={COLUMNS}
      rows={rows}
      keyOf={({ id }) => id}
      marks={({ id }) => ({ "data-worker": id })}
      more={more}
    />
  );
}

function standing({ rank = "newcomer", restsUntil }: WorkerView): string {
  return restsUntil === undefined ? rank : WORKERS.rests(clock(restsUntil, now.value));
}
