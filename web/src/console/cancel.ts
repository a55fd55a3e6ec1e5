/**
 * The button that cancels a run or a job, and the question before it.
 *
 * Owns both. What it looks like afterwards comes like every other change.
 */

import { make, setText } from "../dom.ts";
import { makeProblem, showProblem } from "./parts.ts";
import { makeQuestion } from "./question.ts";

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
  const asked = { title: `Cancel this ${what}?`, means, no: `Keep the ${what}`, yes: `Cancel the ${what}` };
  const question = makeQuestion({ id: "cancel", ...asked }, () => void confirmed());
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
