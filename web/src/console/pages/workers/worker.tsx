/** The page of one worker: what it is and does, what keeps it from being given jobs, what it was handed. */

import "./workers.css";
import { useEffect, useMemo } from "preact/hooks";
import { explainWorker } from "../../../api/explain.ts";
import type { WorkerAttemptView, WorkerView } from "../../../api/types.gen.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { now } from "../../app/clock.ts";
import { type Route, runAddress } from "../../app/routes.ts";
import { type Pages } from "../../data/pages.ts";
import { makeAttemptList, watchWorker } from "../../data/workers.ts";
import { newestRuns } from "../../live/news.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { Figures } from "../../parts/figures.tsx";
import { PageHead } from "../../parts/head.tsx";
import { Id } from "../../parts/id.tsx";
import { StateMark } from "../../parts/state.tsx";
import { Why } from "../../parts/why.tsx";
import { rankText } from "../../words/ranks.ts";
import { count, cut, rate } from "../../words/format.ts";
import { WORKER, WORKERS, workerMark, workerText } from "../../words/workers.ts";
import { When } from "../runs/columns.tsx";
import { has } from "../people/who.ts";
import { Deeds } from "./deeds.tsx";
import { History } from "./history.tsx";

export function WorkerPage({ route: { id } }: { readonly route: Route }) {
  const worker = useMemo(() => watchWorker(id), []);
  const attempts = useMemo(() => makeAttemptList(id), []);
  useEffect(() => worker.close, []);
  useEffect(() => attempts.close, []);
  const view = worker.view.value;
  const words = view === undefined ? [] : workerText(view, now.value);
  useAnnounced(words.join(" "), words.join(" "));
  const failed = worker.problem.value !== undefined && (
    <Failed problem={worker.problem.value} retry={worker.again} shownSince={view === undefined ? undefined : worker.since.value} />
  );
  if (view === undefined) {
    return (
      <div class="page" id="worker-page">
        <PageHead title={cut(id)} tab={WORKERS.title} />
        {failed === false ? <Loading /> : failed}
      </div>
    );
  }
  const mark = workerMark(view);
  const name = view.agent === "" ? id : view.agent;
  return (
    <div class="page" id="worker-page" data-doing={mark.word} data-old={failed !== false}>
      <PageHead
        title={name}
        tab={name}
        beside={<StateMark mark={mark} />}
        actions={
          <>
            <Why of={name} ask={() => explainWorker(id)} />
            {has("workers:manage") && <Deeds view={view} onAnswer={worker.show} />}
          </>
        }
      />
      {failed}
      <div class="worker-words">
        {words.map((text) => (
          <p key={text} class="paused">
            {text}
          </p>
        ))}
      </div>
      <Now view={view} />
      <Facts view={view} attempts={attempts} />
      <History worker={id} all={attempts} />
    </div>
  );
}

function Now({ view: { busy, slots, mflops, done, errors, expired, inFlight } }: { readonly view: WorkerView }) {
  const { figures } = WORKER;
  return (
    <Figures
      facts={[
        [figures.slots, WORKERS.busy(busy, slots)],
        [figures.held, count(inFlight)],
        [figures.mflops, rate(mflops)],
        [figures.done, count(done)],
        [figures.errors, count(errors)],
        [figures.expired, count(expired)],
      ]}
    />
  );
}

interface Shown {
  readonly view: WorkerView;
  readonly attempts: Pages<WorkerAttemptView>;
}

function Facts({ view, attempts }: Shown) {
  const { facts } = WORKER;
  const { id, device, adapter, capabilities, memoryMb, capacity, duty, rank = "newcomer", connectedAt, lastHeardAt } = view;
  return (
    <dl class="panel facts">
      <dt>{facts.id}</dt>
      <dd>
        <Id id={id} />
      </dd>
      <dt>{facts.device}</dt>
      <dd>{device === undefined ? WORKER.keyless : <code>{device}</code>}</dd>
      <dt>{facts.adapter}</dt>
      <dd>{adapter ?? WORKER.noAdapter}</dd>
      <dt>{facts.abilities}</dt>
      <dd>{capabilities.join(", ")}</dd>
      {capacity !== undefined && <dt>{facts.capacity}</dt>}
      {capacity !== undefined && <dd>{WORKER.capacity(capacity)}</dd>}
      {capacity !== undefined && <dt>{facts.duty}</dt>}
      {capacity !== undefined && <dd>{WORKER.duty(duty)}</dd>}
      <dt>{facts.memory}</dt>
      <dd>{WORKER.memory(memoryMb)}</dd>
      <dt>{facts.rank}</dt>
      <dd>{rankText(rank)}</dd>
      <dt>{facts.connected}</dt>
      <dd>
        <When at={connectedAt} />
      </dd>
      <dt>{facts.heard}</dt>
      <dd>
        <When at={lastHeardAt} />
      </dd>
      <dt>{facts.runs}</dt>
      <dd>
        <Runs attempts={attempts.rows.value ?? []} />
      </dd>
    </dl>
  );
}

/** Those of which it holds something. */
function Runs({ attempts }: { readonly attempts: readonly WorkerAttemptView[] }) {
  const runs = new Set(attempts.flatMap(({ job, end }) => (end === null && job?.run ? [job.run] : [])));
  if (runs.size === 0) return <>{WORKER.noRuns}</>;
  const nameOf = (id: string): string => newestRuns.value?.find((run) => run.id === id)?.name ?? cut(id);
  return (
    <>
      {[...runs].map((run) => (
        <span key={run} class="worker-run">
          <a href={runAddress(run)}>{nameOf(run)}</a>
        </span>
      ))}
    </>
  );
}
