/** A chart in a page: mounts it, and hands it what to show. */

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Chart, type ChartSpec, type Nothing } from "../charts/chart.ts";
import type { ChartData } from "../charts/data.ts";
import { keepPanel } from "./opened.ts";

interface Shown {
  readonly spec: ChartSpec;
  readonly data: ChartData;
  /** What to say where there is nothing. */
  readonly nothing: Nothing;
  /** What else belongs to it. */
  readonly note?: string;
}

export function ChartPanel({ spec, data, nothing, note = "" }: Shown) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useMemo(() => new Chart(spec), []);
  useLayoutEffect(() => {
    place.current?.replaceChildren(chart.element);
    keepPanel(chart.details, `table-${spec.id}`);
    chart.shown();
    return () => chart.close();
  }, []);
  useLayoutEffect(() => chart.show(data, nothing, note), [data, note]);
  return <div class="chart-place" ref={place} />;
}
