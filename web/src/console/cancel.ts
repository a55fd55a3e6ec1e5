/**
 * The button that cancels a run or a job, and the question before it.
 *
 * Owns both. What it looks like afterwards comes like every other change.
 */

import { make, setText } from "../dom.ts";
import { makeProblem, showProblem } from "./parts.ts";

export interface Cancelling {
  readonly what: "run" | "job";
  /** What it means, in words. */
  readonly means: string;
  readonly cancel: () => Promise<unknown>;
}

export interface CancelControl {
  readonly element: HTMLElement;
  /** Takes the button away once it is over. Answers whether the focus has to go elsewhere. */
  readonly update: (over: boolean) => boolean;
}

export function makeCancel({ what, means, cancel }: Cancelling): CancelControl {
  const name = `Cancel ${what}…`;
  const button = make("button", { class: "button", id: `cancel-${what}`, type: "button" }, name);
  const problem = makeProblem();
  const question = makeQuestion(what, means, () => void confirmed());
  button.addEventListener("click", () => {
    problem.replaceChildren();
    question.showModal();
  });

  let pressed = false;

  async function confirmed(): Promise<void> {
    pressed = true;
    button.disabled = true;
    setText(button, "Cancelling…");
    try {
      await cancel();
    } catch (refused) {
      showProblem(problem, refused);
    } finally {
      button.disabled = false;
      setText(button, name);
    }
  }

  const element = make("div", { class: "cancel" }, problem, button, question);
  const update = (over: boolean): boolean => {
    if (!over || element.hidden) return false;
    const left = pressed || element.contains(document.activeElement);
    question.close();
    element.hidden = true;
    return left;
  };
  return { element, update };
}

function makeQuestion(what: string, means: string, onYes: () => void): HTMLDialogElement {
  const title = make("h2", { id: "cancel-title" }, `Cancel this ${what}?`);
  const no = make("button", { class: "button", type: "button" }, `Keep the ${what}`);
  const yes = make("button", { class: "button danger", id: "cancel-yes", type: "button" }, `Cancel the ${what}`);
  const buttons = make("div", { class: "buttons" }, no, yes);
  const text = make("p", { id: "cancel-text" }, means);
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
