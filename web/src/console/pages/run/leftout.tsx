/** What a run's page says of engines that get no more of some of its code. Never says that a volunteer is at fault. */

import type { DifferenceView, LeftOutView } from "../../../api/types.gen.ts";
import { jobAddress } from "../../app/routes.ts";
import { engineName } from "../../words/engine.ts";
import { leftOutText } from "./leftouttext.ts";

const CURE =
  'Nobody who runs it is at fault. Let the code round what it returns where engines calculate differently, or say agree="near(1e-9)" or within="engine" there.';

export function LeftOut({ engines }: { readonly engines: readonly LeftOutView[] }) {
  if (engines.length === 0) return null;
  return (
    <ul class="left-out" id="run-left-out">
      {engines.map((left) => (
        <li key={`${left.code} ${left.engine}`}>
          {leftOutText(left)} {CURE}
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
  return (
    <p class="muted">
      <a href={jobAddress(job)}>{path}</a>
      {`: ${engineName(engine)} says ${said}, ${engineName(leading)} ${leadingSaid}`}
    </p>
  );
}
