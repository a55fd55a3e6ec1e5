/** The six figures of the overview, each with its line over the chosen span, and who is connected in words. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { SeriesView, WorkerSums } from "../../../api/types.gen.ts";
import { type Route } from "../../app/routes.ts";
import { replaceQuery } from "../../app/where.ts";
import type { ChartSpec, Ink } from "../../charts/chart.ts";
import { type Figure, seriesData } from "../../charts/series.ts";
import { SPANS, type Span, spanOf, watchSeries } from "../../data/series.ts";
import { watchWorkerSums, workerSums } from "../../data/workersums.ts";
import { ChartPanel } from "../../parts/chart.tsx";
import { Failed, Loading } from "../../parts/faces.tsx";
import { SpanChoice } from "../../parts/spans.tsx";
import { SPAN_WORDS } from "../../words/charts.ts";
import { clock, figure, percent } from "../../words/format.ts";
import { OVERVIEW } from "../../words/overview.ts";
import { sumsText } from "../../words/workers.ts";
import { has } from "../people/who.ts";

const HEIGHT = 132;

/** What is drawn, in which colour, and how its numbers are told. */
const ROWS: readonly (readonly [Figure, Ink, (value: number) => string])[] = [
  ["mflops", "--running", figure],
  ["jobs", "--finished", figure],
  ["waiting", "--queued", figure],
  ["errors", "--failed", figure],
  ["utilisation", "--running", percent],
  ["workers", "--accent", figure],
];

const SPECS = ROWS.map(([name, ink, format]): readonly [Figure, ChartSpec] => {
  const { title, unit } = OVERVIEW.charts[name as keyof typeof OVERVIEW.charts];
  return [name, { id: `chart-${name}`, title, unit, lines: [{ name: title, ink }], format, height: HEIGHT }];
});

export function OverTime({ route }: { readonly route: Route }) {
  const span = useSignal(spanOf(route.query.get("span")));
  const series = useMemo(() => watchSeries(span.value), [span.value]);
  useEffect(() => series.close, [series]);
  useEffect(() => (has("workers:read") ? watchWorkerSums() : undefined), []);
  const choose = (chosen: Span): void => {
    span.value = chosen;
    replaceQuery({ span: chosen === "10m" ? "" : chosen });
  };
  const view = series.view.value;
  const failed = series.problem.value !== undefined && (
    <Failed problem={series.problem.value} retry={series.again} shownSince={view === undefined ? undefined : series.since.value} />
  );
  return (
    <section class="listed" data-old={view !== undefined && failed !== false} id="over-time">
      <div class="section-head">
        <h2>{OVERVIEW.overTime}</h2>
        <SpanChoice now={span.value} choose={choose} />
      </div>
      {failed}
      {view === undefined ? failed === false && <Loading /> : <Charts view={view} span={span.value} />}
    </section>
  );
}

function Charts({ view, span }: { readonly view: SeriesView; readonly span: Span }) {
  const data = useMemo(() => SPECS.map(([name]) => seriesData(view, SPANS[span].wholeMs, [name])), [view]);
  const isYoung = view.since > (data[0]?.from ?? 0);
  const none = view.at.length === 0 ? ([SPAN_WORDS.started, SPAN_WORDS.noSample[span]] as const) : undefined;
  return (
    <>
      <div class="charts">
        {SPECS.map(([name, spec], at) => (
          <ChartPanel
            key={name}
            spec={spec}
            data={data[at] ?? EMPTY}
            nothing={none ?? OVERVIEW.nothing[name === "utilisation" ? name : "errors"]}
            note={name === "workers" ? who(workerSums.value) : ""}
          />
        ))}
      </div>
      {isYoung && none === undefined && <p class="muted">{SPAN_WORDS.since(clock(view.since, Date.now()))}</p>}
    </>
  );
}

const EMPTY = { at: [], values: [], from: 0, to: 1 };

/** By browser and by ability. */
function who(sums: WorkerSums | undefined): string {
  return sums === undefined || sums.workers === 0 ? "" : `${sumsText(sums.browsers)}\n${sumsText(sums.capabilities)}`;
}
