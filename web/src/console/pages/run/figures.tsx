/** The figures of a run. */

import type { RunStats } from "../../../api/types.gen.ts";
import { Figures } from "../../parts/figures.tsx";
import { count, duration, percent, rate } from "../../words/format.ts";
import { RUN } from "../../words/run.ts";

export function RunFigures({ stats }: { readonly stats: RunStats }) {
  const { figures } = RUN;
  return (
    <Figures
      facts={[
        [figures.jobs, count(stats.jobs)],
        [figures.wall, duration(stats.wallMs)],
        [figures.mflops, rate(stats.mflops)],
        [figures.utilisation, percent(stats.utilisation)],
        [figures.median, duration(stats.medianMs)],
        [figures.workers, count(stats.workers)],
        [figures.slots, count(stats.slots)],
      ]}
    />
  );
}
