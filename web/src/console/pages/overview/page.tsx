/** The overview: how the fleet and the queue stand, what needs somebody, and the runs that go on, with the newest behind them. */

import { useEffect } from "preact/hooks";
import type { RunSummary } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { RUNS as RUNS_ADDRESS } from "../../app/routes.ts";
import { look, queue, queueProblem, queueSince, watchQueue } from "../../data/queue.ts";
import { fleet, newestRuns } from "../../live/news.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { type Fact, Figures } from "../../parts/figures.tsx";
import { PageHead } from "../../parts/head.tsx";
import { Icon } from "../../parts/icon.tsx";
import { count } from "../../words/format.ts";
import { OVERVIEW } from "../../words/overview.ts";
import { has } from "../people/who.ts";
import { RunTable } from "../runs/columns.tsx";
import { NoRuns } from "../runs/page.tsx";
import { needs } from "./attention.ts";

/** Runs that are listed here. */
const SHOWN = 8;

export function Overview() {
  useEffect(watchQueue, []);
  const runs = newestRuns.value;
  return (
    <div class="page" id="overview-page">
      <PageHead title={OVERVIEW.title} tab="WeevilScout console" />
      <Facts runs={runs ?? []} />
      {queueProblem.value !== undefined && (
        <Failed
          problem={queueProblem.value}
          retry={() => void look()}
          shownSince={queue.value === undefined ? undefined : queueSince.value}
        />
      )}
      <Attention runs={runs ?? []} />
      <section class="listed">
        <div class="section-head">
          <h2>{OVERVIEW.runs}</h2>
          {(runs?.length ?? 0) > 0 && <a href={RUNS_ADDRESS}>{OVERVIEW.allRuns}</a>}
        </div>
        {runs === undefined ? <Loading /> : runs.length === 0 ? <NoRuns /> : <RunTable id="runs" rows={shown(runs)} />}
      </section>
    </div>
  );
}

/** Those that go on in front. */
function shown(runs: readonly RunSummary[]): readonly RunSummary[] {
  const going = ({ state }: RunSummary): boolean => state === "STARTED";
  return [...runs.filter(going), ...runs.filter((run) => !going(run))].slice(0, SHOWN);
}

function Facts({ runs }: { readonly runs: readonly RunSummary[] }) {
  const { figures, busy } = OVERVIEW;
  const { workers = [], slots = 0 } = fleet.value ?? {};
  const inFlight = workers.reduce((sum, worker) => sum + Math.min(worker.inFlight, worker.slots), 0);
  const depth = queue.value;
  const facts: Fact[] = [
    [figures.waiting, depth === undefined ? "–" : count(depth.ready)],
    [figures.running, depth === undefined ? "–" : count(depth.leased)],
    [figures.going, count(runs.filter(({ state }) => state === "STARTED").length)],
  ];
  if (has("workers:read")) facts.unshift([figures.workers, count(workers.length)], [figures.slots, busy(inFlight, slots)]);
  return <Figures facts={facts} />;
}

function Attention({ runs }: { readonly runs: readonly RunSummary[] }) {
  const known = { queue: queue.value, fleet: has("workers:read") ? fleet.value : undefined, runs };
  const all = needs(known, now.value);
  return (
    <section class="panel" id="attention">
      <h2>{OVERVIEW.attention}</h2>
      {all.length === 0 && <p class="muted">{OVERVIEW.calm}</p>}
      {all.length > 0 && (
        <ul class="plain-rows">
          {all.map(({ id, shape, text, cure, address }) => (
            <li key={id} data-entry={id}>
              <span class="need">
                <span class="state" data-shape={shape}>
                  <Icon name={`state-${shape}`} />
                </span>
                {text}
              </span>
              <a href={address}>{cure}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
