/** The connected workers in numbers; nothing where there is none. */

import { useEffect } from "preact/hooks";
import { watchWorkerSums, workerSums } from "../../data/workersums.ts";
import { Figures } from "../../parts/figures.tsx";
import { count, rate } from "../../words/format.ts";
import { WORKERS, doingText, sumsText } from "../../words/workers.ts";

export function Sums() {
  useEffect(watchWorkerSums, []);
  const sums = workerSums.value;
  if (sums === undefined || sums.workers === 0) return null;
  const words = WORKERS.sums;
  return (
    <section id="sums" class="sums">
      <Figures
        facts={[
          [words.workers, count(sums.workers)],
          [words.slots, WORKERS.busy(sums.busy, sums.slots)],
          [words.mflops, rate(sums.mflops)],
        ]}
      />
      <dl class="panel facts">
        <dt>{words.doing}</dt>
        <dd>{doingText(sums.doing)}</dd>
        <dt>{words.browsers}</dt>
        <dd>{sumsText(sums.browsers)}</dd>
        <dt>{words.abilities}</dt>
        <dd>{sumsText(sums.capabilities)}</dd>
      </dl>
    </section>
  );
}
