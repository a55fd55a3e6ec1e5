/** What a run's page says of engines that get no more of some of its code. Never says that a volunteer is at fault. */

import type { DifferenceView, LeftOutView } from "../../../api/types.gen.ts";
import { jobAddress } from "../../app/routes.ts";
import { Filled } from "../../parts/filled.tsx";
import { engineName } from "../../words/engine.ts";
import { DIFFERENCE, leftOutText } from "../../words/leftouttext.ts";

export function LeftOut({ engines }: { readonly engines: readonly LeftOutView[] }) {
  if (engines.length === 0) return null;
  return (
    <ul class="left-out" id="run-left-out">
      {engines.map((left) => (
        <li key={`${left.code} ${left.engine}`}>
          {leftOutText(left)}
          {left.differences.map((difference) => (
            <Example key={difference.job} left={left} difference={difference} />
          ))}
        </li>
      ))}
    </ul>
  );
}

function Example({ left: { engine, leading }, difference }: { readonly left: LeftOutView; readonly difference: DifferenceView }) {
  const { job, path, said, leadingSaid } = difference;
  const link = <a href={jobAddress(job)}>{path}</a>;
  const holes = { job: link, engine: engineName(engine), said, leading: engineName(leading), leadingSaid };
  return (
    <p class="muted">
      <Filled text={DIFFERENCE} holes={holes} />
    </p>
  );
}
