/** The stand-alone jobs of one queue: by state, and by what their rows say. What is asked stands in the address. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { type JobsFilter, listQueued } from "../../../api/client.ts";
import type { Route } from "../../app/routes.ts";
import { useTrail } from "../../app/trail.ts";
import { entryShown, replaceQuery } from "../../app/where.ts";
import { Empty } from "../../parts/faces.tsx";
import { NothingFits } from "../../parts/filter.tsx";
import { PageHead } from "../../parts/head.tsx";
import { OrderChoice } from "../../parts/orderchoice.tsx";
import { orderOf } from "../../parts/orders.ts";
import { JOBS } from "../../words/lookback.ts";
import { JOB_SORTS, QUEUE } from "../../words/queue.ts";
import { FailedField, NO_FILTER, StateField, TextField, entriesOf, filterIn, isFiltered } from "./jobfields.tsx";
import { Jobs } from "./joblist.tsx";
import { QueueForm } from "./page.tsx";

export function QueueJobs({ route: { id: name, query } }: { readonly route: Route }) {
  const title = QUEUE.jobsTitle(name);
  useTrail({ steps: [{ name }] });
  const sort = useSignal(orderOf(JOB_SORTS, entryShown("sort")).key);
  const asked = useSignal<JobsFilter>(useMemo(() => ({ ...filterIn(query), node: null }), []));
  useEffect(() => {
    replaceQuery({ ...entriesOf(asked.value), sort: sort.value === JOB_SORTS[0].key ? "" : sort.value });
  }, [asked.value, sort.value]);
  const fields = {
    asked: asked.value,
    change: (what: Partial<JobsFilter>): void => {
      asked.value = { ...asked.value, ...what };
    },
  };
  const clear = (): void => {
    asked.value = NO_FILTER;
  };
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
      <form class="filter-bar" aria-label={JOBS.filter} onSubmit={(event) => event.preventDefault()}>
        <StateField {...fields} />
        <TextField {...fields} />
        <FailedField {...fields} />
        <OrderChoice id="job-sort" orders={JOB_SORTS} now={sort.value} choose={(key) => (sort.value = orderOf(JOB_SORTS, key).key)} />
      </form>
      <Jobs
        key={sort.value}
        asked={asked.value}
        read={(after, limit) => listQueued(name, asked.value, sort.value, after, limit)}
        command={QUEUE.listCommand(name, asked.value, sort.value)}
        empty={isFiltered(asked.value) ? <NothingFits noun={JOBS.noun} words={QUEUE.nothingFits} clear={clear} /> : empty}
      />
    </div>
  );
}
