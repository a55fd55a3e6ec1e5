/** The shipped workflows, for somebody who has none yet: one button for the first, the others behind it. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { runExample } from "../../../api/client.ts";
import { examples, wantExamples } from "../../data/examples.ts";
import { Failed } from "../../parts/faces.tsx";
import { Icon } from "../../parts/icon.tsx";
import { usePanel } from "../../parts/opened.ts";
import { RUNS } from "../../words/runs.ts";
import { openCreated } from "../workflows/upload.tsx";

/** The one that shows most in a minute. */
const FIRST = "pi";

export function Examples() {
  const busy = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  const { panel } = usePanel("examples");
  useEffect(() => void wantExamples(), []);
  const run = async (name: string): Promise<void> => {
    if (busy.value) return;
    [busy.value, problem.value] = [true, undefined];
    try {
      openCreated(await runExample(name));
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy.value = false;
    }
  };
  const others = examples.value.filter(({ name }) => name !== FIRST);
  return (
    <>
      <button class="button primary" id="run-example" type="button" aria-disabled={busy.value} onClick={() => void run(FIRST)}>
        <Icon name="runs" />
        {RUNS.example(FIRST)}
      </button>
      {problem.value !== undefined && <Failed problem={problem.value} />}
      {others.length > 0 && (
        <details class="examples" {...panel}>
          <summary>{RUNS.otherExamples}</summary>
          <ul class="plain-rows">
            {others.map(({ name, about }) => (
              <li key={name} data-example={name}>
                <span>
                  <code>{name}</code> <span class="muted">{about}</span>
                </span>
                <button
                  class="button small"
                  type="button"
                  aria-label={RUNS.example(name)}
                  aria-disabled={busy.value}
                  onClick={() => void run(name)}
                >
                  {RUNS.runExample}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
