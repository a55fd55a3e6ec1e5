/** Workers as a table. */

import { explainWorker } from "../../../api/explain.ts";
import type { WorkerView } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { workerAddress } from "../../app/routes.ts";
import { StateMark } from "../../parts/state.tsx";
import { Why } from "../../parts/why.tsx";
import { type Column, Table } from "../../table/table.tsx";
import { count, rate } from "../../words/format.ts";
import { workerPeek } from "../../words/peek.ts";
import { WORKERS, workerMark } from "../../words/workers.ts";
import { When } from "../runs/columns.tsx";

const { columns } = WORKERS;

const COLUMNS: readonly Column<WorkerView>[] = [
  {
    id: "name",
    head: columns.agent,
    cell: ({ id, agent }) => (
      <a href={workerAddress(id)} title={agent}>
        {agent === "" ? id : agent}
      </a>
    ),
  },
  { id: "doing", head: columns.doing, cell: (worker) => <StateMark mark={workerMark(worker)} /> },
  { id: "busy", head: columns.slots, cell: ({ busy, slots }) => WORKERS.busy(busy, slots) },
  { id: "mflops", head: columns.mflops, cell: ({ mflops }) => rate(mflops) },
  { id: "done", head: columns.done, cell: ({ done }) => count(done) },
  { id: "errors", head: columns.errors, cell: ({ errors }) => count(errors) },
  { id: "expired", head: columns.expired, cell: ({ expired }) => count(expired) },
  {
    id: "device",
    head: columns.device,
    cell: ({ device }) => (device === undefined ? <span class="muted">{WORKERS.keyless}</span> : <code>{device}</code>),
  },
  { id: "adapter", head: columns.adapter, cell: ({ adapter = "" }) => <span title={adapter}>{adapter}</span> },
  { id: "when", head: columns.since, cell: ({ connectedAt }) => <When at={connectedAt} /> },
  { id: "heard", head: columns.heard, cell: ({ lastHeardAt }) => <When at={lastHeardAt} /> },
  {
    id: "deeds",
    head: columns.why,
    cell: ({ agent, id }) => <Why of={agent} ask={() => explainWorker(id)} small />,
  },
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
      peek={(worker) => workerPeek(worker, now.value)}
    />
  );
}
