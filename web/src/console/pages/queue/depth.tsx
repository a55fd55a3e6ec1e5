/** The depth of the queue over time. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ChartSpec } from "../../charts/chart.ts";
import { seriesData } from "../../charts/series.ts";
import { SPANS, type Span, spanOf, watchSeries } from "../../data/series.ts";
import { type Route } from "../../app/routes.ts";
import { replaceEntry } from "../../app/where.ts";
import { ChartPanel } from "../../parts/chart.tsx";
import { Failed, Loading } from "../../parts/faces.tsx";
import { SpanChoice } from "../../parts/spans.tsx";
import { SPAN_WORDS } from "../../words/charts.ts";
import { figure } from "../../words/format.ts";
import { QUEUE } from "../../words/queue.ts";

const SPEC: ChartSpec = {
  id: "chart-depth",
  title: QUEUE.depth,
  unit: QUEUE.depthUnit,
  lines: [
    { name: QUEUE.waiting, ink: "--queued" },
    { name: QUEUE.running, ink: "--running" },
  ],
  format: figure,
  height: 180,
};

export function DepthOverTime({ route }: { readonly route: Route }) {
  const span = useSignal(spanOf(route.query.get("span")));
  const series = useMemo(() => watchSeries(span.value), [span.value]);
  useEffect(() => series.close, [series]);
  const view = series.view.value;
  const data = useMemo(() => view && seriesData(view, SPANS[span.value].wholeMs, ["waiting", "leased"]), [view]);
  const choose = (chosen: Span): void => {
    span.value = chosen;
    replaceEntry("span", chosen === "10m" ? "" : chosen);
  };
  const failed = series.problem.value !== undefined && (
    <Failed problem={series.problem.value} retry={series.again} shownSince={view === undefined ? undefined : series.since.value} />
  );
  return (
    <section class="listed" data-old={view !== undefined && failed !== false} id="over-time">
      <div class="section-head">
        <h2>{QUEUE.overTime}</h2>
        <SpanChoice now={span.value} choose={choose} />
      </div>
      {failed}
      {data === undefined && failed === false && <Loading />}
      {data !== undefined && <ChartPanel spec={SPEC} data={data} nothing={[SPAN_WORDS.started, SPAN_WORDS.noSample[span.value]]} />}
    </section>
  );
}
