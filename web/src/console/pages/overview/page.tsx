/** The overview: six figures over time, what needs somebody, and the runs that go on, with the newest behind them. */

import { useEffect, useMemo } from "preact/hooks";
import { explainJobs, explainQueue, explainRun } from "../../../api/explain.ts";
import type { Explanation, RunSummary } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { RUNS as RUNS_ADDRESS, type Route, withQuery } from "../../app/routes.ts";
import { foremost, watchGoing } from "../../data/going.ts";
import { mayStart } from "../../data/projects.ts";
import { classes, watchWaiting } from "../../data/waiting.ts";
import { look, queue, queueProblem, queueSince, watchQueue } from "../../data/queue.ts";
import { newestRuns, sums } from "../../live/news.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { PageHead } from "../../parts/head.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Why } from "../../parts/why.tsx";
import { OVERVIEW } from "../../words/overview.ts";
import { WHY } from "../../words/why.ts";
import { has } from "../people/who.ts";
import { RunTable } from "../runs/columns.tsx";
import { NoRuns, UploadButton } from "../runs/page.tsx";
import { type Subject, needs } from "./attention.ts";
import { OverTime } from "./figures.tsx";

/** Runs that are listed here. */
const SHOWN = 8;

export function Overview({ route }: { readonly route: Route }) {
  useEffect(watchQueue, []);
  const runs = newestRuns.value;
  return (
    <div class="page" id="overview-page">
      <PageHead title={OVERVIEW.title} tab={OVERVIEW.tab} actions={mayStart() && runs?.length === 0 && <UploadButton />} />
      <OverTime route={route} />
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
        {runs === undefined ? <Loading /> : runs.length === 0 ? <NoRuns /> : <Going newest={runs} />}
      </section>
    </div>
  );
}

/** Those that go on in front, and the way to all of them where there is no room. */
function Going({ newest }: { readonly newest: readonly RunSummary[] }) {
  const going = useMemo(watchGoing, []);
  useEffect(() => going.close, []);
  const runs = going.runs.value;
  return (
    <>
      <RunTable id="runs" rows={foremost(runs, newest, SHOWN)} />
      {runs.length > SHOWN && (
        <p class="muted" id="runs-going">
          {OVERVIEW.going(runs.length, SHOWN, going.more.value)}{" "}
          <a href={withQuery(RUNS_ADDRESS, { state: "STARTED" })}>{OVERVIEW.allGoing}</a>
        </p>
      )}
    </>
  );
}

function Attention({ runs }: { readonly runs: readonly RunSummary[] }) {
  const told = sums.value;
  const waits = (queue.value?.ready ?? 0) > 0;
  useEffect(() => (waits ? watchWaiting() : undefined), [waits]);
  const fleet = has("workers:read") ? told?.fleet : undefined;
  const known = { queue: queue.value, fleet, classes: classes.value?.classes, trouble: told?.trouble, diskLeft: told?.diskLeft, runs };
  const all = needs(known, now.value);
  return (
    <section class="panel" id="attention">
      <h2>{OVERVIEW.attention}</h2>
      {all.length === 0 && <p class="muted">{OVERVIEW.calm}</p>}
      {all.length > 0 && (
        <ul class="plain-rows">
          {all.map(({ id, shape, text, cure, address, why }) => (
            <li key={id} data-entry={id}>
              <span class="need">
                <span class="state" data-shape={shape}>
                  <Icon name={`state-${shape}`} />
                </span>
                {text}
              </span>
              <span class="buttons">
                <a href={address}>{cure}</a>
                <Why of={text} ask={() => explained(why)} nothing={WHY.nothingWaits} small />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function explained(of: Subject): Promise<Explanation> {
  if (of.kind === "queue") return explainQueue();
  if (of.kind === "told") return Promise.resolve({ reasons: [...of.reasons] });
  return of.kind === "run" ? explainRun(of.id) : explainJobs(of.ids);
}
