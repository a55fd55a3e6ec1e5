/** The button that cancels a run or a job, and the question before it. What it looks like afterwards comes like every other change. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { PARTS } from "../words/parts.ts";
import { Failed } from "./faces.tsx";
import { confirmed } from "./question.ts";

interface Cancelling {
  readonly what: "run" | "job";
  /** What it means, in words. */
  readonly means: string;
  readonly cancel: () => Promise<unknown>;
}

export function CancelButton({ what, means, cancel }: Cancelling) {
  const busy = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  // The question goes with the button, once there is nothing to cancel.
  const ending = useMemo(() => new AbortController(), []);
  useEffect(() => () => ending.abort(), []);
  const press = async (): Promise<void> => {
    if (busy.value) return;
    problem.value = undefined;
    const { title, no, yes } = PARTS.cancel;
    const question = { id: "cancel", title: title(what), means, no: no(what), yes: yes(what) };
    if (!(await confirmed(question, ending.signal))) return;
    busy.value = true;
    try {
      await cancel();
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy.value = false;
    }
  };
  return (
    <>
      {problem.value !== undefined && <Failed problem={problem.value} />}
      <button class="button" id={`cancel-${what}`} type="button" aria-disabled={busy.value} onClick={() => void press()}>
        {busy.value ? PARTS.cancel.busy : PARTS.cancel.button(what)}
      </button>
    </>
  );
}
