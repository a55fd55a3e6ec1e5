/** The button that pauses what goes on and lets go on what is paused, of a run or of the whole queue. What is paused says the page. */

import { useSignal } from "@preact/signals";
import { PARTS } from "../words/parts.ts";
import { Icon } from "./icon.tsx";
import { Failed } from "./faces.tsx";

interface Control<T> {
  readonly what: "run" | "queue";
  readonly paused: boolean;
  readonly set: (paused: boolean) => Promise<T>;
  readonly onAnswer: (answer: T) => void;
}

/** A disabled button would lose the focus of whoever works with the keyboard; a second press does nothing instead. */
export function PauseButton<T>({ what, paused, set, onAnswer }: Control<T>) {
  const busy = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  const press = async (): Promise<void> => {
    if (busy.value) return;
    [busy.value, problem.value] = [true, undefined];
    try {
      onAnswer(await set(!paused));
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy.value = false;
    }
  };
  const word = busy.value ? PARTS.busy(paused) : PARTS.pause(paused, what);
  return (
    <>
      {problem.value !== undefined && <Failed problem={problem.value} />}
      <button class="button" id={`pause-${what}`} type="button" aria-disabled={busy.value} onClick={() => void press()}>
        <Icon name={paused ? "runs" : "pause"} />
        {word}
      </button>
    </>
  );
}
