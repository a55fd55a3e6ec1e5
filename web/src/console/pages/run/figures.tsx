/** The figures of a run. */

import type { RunStats } from "../../../api/types.gen.ts";
import type { Left } from "./left.ts";
import { Figures } from "../../parts/figures.tsx";
import { count, duration, percent, rate } from "../../words/format.ts";
import { RUN } from "../../words/run.ts";

const NOT_KNOWN = "–";

interface Shown {
  readonly stats: RunStats;
  /** Absent of a run that is over. */
  readonly left?: Left | undefined;
}

export function RunFigures({ stats, left }: Shown) {
  const { figures } = RUN;
  return (
    <Figures
      facts={[
        [figures.jobs, count(stats.jobs)],
        [figures.wall, duration(stats.wallMs)],
        ...(left === undefined ? [] : ([[figures.left, left === "unknown" ? NOT_KNOWN : duration(left)]] as const)),
        [figures.mflops, rate(stats.mflops)],
        [figures.utilisation, percent(stats.utilisation)],
        [figures.median, duration(stats.medianMs)],
        [figures.workers, count(stats.workers)],
        [figures.slots, count(stats.slots)],
      ]}
    />
  );
}
