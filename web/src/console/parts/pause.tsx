/**
 * The button that pauses what goes on, with a note for others, and lets go on what is paused, of a run or of the whole queue. What is
 * paused says the page.
 */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { PARTS } from "../words/parts.ts";
import { Icon } from "./icon.tsx";
import { Failed } from "./faces.tsx";
import { makeNote, showNoted } from "./noted.ts";

interface Control<T> {
  readonly what: "run" | "queue";
  readonly paused: boolean;
  readonly pause: (note: string) => Promise<T>;
  readonly resume: () => Promise<T>;
  readonly onAnswer: (answer: T) => void;
}

/** A disabled button would lose the focus of whoever works with the keyboard; a second press does nothing instead. */
export function PauseButton<T>(control: Control<T>) {
  const { what, paused, resume, onAnswer } = control;
  const busy = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  const asked = useRef<HTMLDialogElement>(undefined);
  // The question goes with the button, once there is nothing to pause.
  useEffect(() => () => asked.current?.close(), []);
  const press = async (): Promise<void> => {
    if (busy.value) return;
    problem.value = undefined;
    if (!paused) {
      asked.current = askForPause(control);
      return;
    }
    busy.value = true;
    try {
      onAnswer(await resume());
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy.value = false;
    }
  };
  return (
    <>
      {problem.value !== undefined && <Failed problem={problem.value} />}
      <button class="button" id={`pause-${what}`} type="button" aria-disabled={busy.value} onClick={() => void press()}>
        <Icon name={paused ? "runs" : "pause"} />
        {busy.value ? PARTS.resuming : PARTS.pause(paused, what)}
      </button>
    </>
  );
}

function askForPause<T>({ what, pause, onAnswer }: Control<T>): HTMLDialogElement {
  const { title, means, hint, submit, busy } = PARTS.pausing;
  const note = makeNote("pause-note", hint[what]);
  const send = async (): Promise<void> => onAnswer(await pause(note.input.value.trim()));
  return showNoted({ id: `pause-${what}`, title: title[what], means: means[what], fields: [note.element] }, { submit, busy, send });
}
