/**
 * The button that cancels a run, and the question before it.
 *
 * Owns both. What the run looks like afterwards comes with its events, like every other change.
 */

import { cancelRun } from "../api/client.ts";
import type { RunState } from "../api/types.gen.ts";
import { make, setText } from "../dom.ts";
import { isOver } from "./format.ts";
import { makeProblem, showProblem } from "./parts.ts";

export interface CancelControl {
  readonly element: HTMLElement;
  /** Takes the button away once the run is over. Answers whether the focus has to go elsewhere. */
  readonly update: (state: RunState) => boolean;
}

const EXPLANATION = "Jobs that wait are dropped, and volunteers are told to stop those that they compute. This cannot be undone.";

export function makeCancel(run: string): CancelControl {
  const button = make("button", { class: "button", id: "cancel-run", type: "button" }, "Cancel run…");
  const problem = makeProblem();
  const question = makeQuestion(() => void cancel());
  button.addEventListener("click", () => {
    problem.replaceChildren();
    question.showModal();
  });

  let pressed = false;

  async function cancel(): Promise<void> {
    pressed = true;
    button.disabled = true;
    setText(button, "Cancelling…");
    try {
      await cancelRun(run);
    } catch (refused) {
      showProblem(problem, refused);
    } finally {
      button.disabled = false;
      setText(button, "Cancel run…");
    }
  }

  const element = make("div", { class: "cancel" }, problem, button, question);
  const update = (state: RunState): boolean => {
    if (!isOver(state) || element.hidden) return false;
    const left = pressed || element.contains(document.activeElement);
    question.close();
    element.hidden = true;
    return left;
  };
  return { element, update };
}

function makeQuestion(onYes: () => void): HTMLDialogElement {
  const title = make("h2", { id: "cancel-title" }, "Cancel this run?");
  const no = make("button", { class: "button", type: "button" }, "Keep it running");
  const yes = make("button", { class: "button danger", id: "cancel-yes", type: "button" }, "Cancel the run");
  const buttons = make("div", { class: "buttons" }, no, yes);
  const text = make("p", { id: "cancel-text" }, EXPLANATION);
  const names = { "aria-labelledby": "cancel-title", "aria-describedby": "cancel-text" };
  const dialog = make("dialog", { class: "card question", ...names }, title, text, buttons);
  no.addEventListener("click", () => {
    dialog.close();
  });
  yes.addEventListener("click", () => {
    dialog.close();
    onYes();
  });
  return dialog;
}
