/** How the values of a run's jobs were believed, in sentences. */

import { type Judgement, acceptedText, boundText, costText } from "../../words/judgedtext.ts";

export function Judged({ stats, doubted }: { readonly stats: Judgement; readonly doubted: number }) {
  if (stats.answers === undefined) return null;
  const bound = boundText(stats, doubted);
  return (
    <div class="muted judged" id="run-judged">
      <p>{acceptedText(stats)}</p>
      <p>{costText(stats)}</p>
      {bound !== "" && <p>{bound}</p>}
    </div>
  );
}
