/** The stand-alone jobs of one queue. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { listQueued } from "../../../api/client.ts";
import type { Route } from "../../app/routes.ts";
import { useTrail } from "../../app/trail.ts";
import { entryShown, replaceEntry } from "../../app/where.ts";
import { Empty } from "../../parts/faces.tsx";
import { PageHead } from "../../parts/head.tsx";
import { OrderChoice } from "../../parts/orderchoice.tsx";
import { orderOf } from "../../parts/orders.ts";
import { JOB_SORTS, QUEUE } from "../../words/queue.ts";
import { Jobs } from "./joblist.tsx";
import { QueueForm } from "./page.tsx";

export function QueueJobs({ route: { id: name } }: { readonly route: Route }) {
  const title = QUEUE.jobsTitle(name);
  useTrail({ steps: [{ name }] });
  const sort = useSignal(orderOf(JOB_SORTS, entryShown("sort")).key);
  useEffect(() => replaceEntry("sort", sort.value === JOB_SORTS[0].key ? "" : sort.value), [sort.value]);
  const empty = (
    <Empty id="no-jobs" title={QUEUE.none} command={QUEUE.command(name)}>
      {QUEUE.noneWords}
    </Empty>
  );
  return (
    <div class="page" id="jobs-page">
      <PageHead title={title} tab={title} />
      <p class="muted">{QUEUE.jobsAbout}</p>
      <QueueForm name={name} />
      <form class="filter-bar" aria-label={QUEUE.order} onSubmit={(event) => event.preventDefault()}>
        <OrderChoice id="job-sort" orders={JOB_SORTS} now={sort.value} choose={(key) => (sort.value = orderOf(JOB_SORTS, key).key)} />
      </form>
      <Jobs
        key={sort.value}
        read={(after, limit) => listQueued(name, sort.value, after, limit)}
        command={QUEUE.listCommand(name, sort.value)}
        empty={empty}
      />
    </div>
  );
}
