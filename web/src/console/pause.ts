/**
 * The button that pauses what goes on and lets go on what is paused, of a run or of the whole queue.
 *
 * Owns the button and what the server refuses. What is paused says whoever shows the answer.
 */

import { make, setText } from "../dom.ts";
import { makeProblem, showProblem } from "./parts.ts";

export interface PauseControl {
  readonly button: HTMLButtonElement;
  readonly problem: HTMLElement;
  readonly update: (paused: boolean) => void;
  /** Whether an answer is on its way. */
  readonly busy: () => boolean;
}

/** `what` stands behind the verb: `Pause run`. */
export function makePause<T>(what: string, set: (paused: boolean) => Promise<T>, onAnswer: (answer: T) => void): PauseControl {
  const button = make("button", { class: "button", id: `pause-${what}`, type: "button" });
  const problem = makeProblem();
  let paused = false;
  let sending = false;

  function name(): void {
    setText(button, `${paused ? "Resume" : "Pause"} ${what}`);
  }
  // A disabled button would lose the focus of whoever works with the keyboard.
  async function press(): Promise<void> {
    if (sending) return;
    sending = true;
    button.setAttribute("aria-disabled", "true");
    problem.replaceChildren();
    setText(button, paused ? "Resuming…" : "Pausing…");
    try {
      onAnswer(await set(!paused));
    } catch (refused) {
      showProblem(problem, refused);
    } finally {
      sending = false;
      button.removeAttribute("aria-disabled");
      name();
    }
  }

  button.addEventListener("click", () => void press());
  name();
  const update = (now: boolean): void => {
    paused = now;
    if (!sending) name();
  };
  return { button, problem, update, busy: () => sending };
}
