/** The span of time that charts show: one of three. */

import { SPANS, type Span } from "../data/series.ts";
import { SPAN_WORDS } from "../words/charts.ts";

export function SpanChoice({ now, choose }: { readonly now: Span; readonly choose: (span: Span) => void }) {
  return (
    <fieldset class="spans" id="span">
      <legend class="unseen">{SPAN_WORDS.title}</legend>
      {(Object.keys(SPANS) as Span[]).map((span) => (
        <label key={span}>
          <input type="radio" name="span" value={span} checked={span === now} onChange={() => choose(span)} />
          <span>{SPAN_WORDS.spans[span]}</span>
        </label>
      ))}
    </fieldset>
  );
}
