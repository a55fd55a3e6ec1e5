/**
 * A question before something that cannot be undone, with the harmless answer first.
 *
 * Owns the dialog. What happens then is the caller's.
 */

import { make } from "../../dom.ts";

export interface Question {
  /** Its ids begin with it. */
  readonly id: string;
  readonly title: string;
  /** What it means, in words. */
  readonly means: string;
  readonly no: string;
  readonly yes: string;
}

function makeQuestion({ id, title, means, no, yes }: Question, onYes: () => void): HTMLDialogElement {
  const head = make("h2", { id: `${id}-title` }, title);
  const stay = make("button", { class: "button", type: "button" }, no);
  const go = make("button", { class: "button danger", id: `${id}-yes`, type: "button" }, yes);
  const buttons = make("div", { class: "buttons" }, stay, go);
  const names = { "aria-labelledby": `${id}-title`, "aria-describedby": `${id}-text` };
  const dialog = make("dialog", { class: "card question", ...names }, head, make("p", { id: `${id}-text` }, means), buttons);
  stay.addEventListener("click", () => {
    dialog.close();
  });
  go.addEventListener("click", () => {
    dialog.close();
    onYes();
  });
  return dialog;
}

/** Whether somebody said yes. Going elsewhere is no, and so is `ending`. */
export function confirmed(question: Question, ending?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    let yes = false;
    const dialog = makeQuestion(question, () => {
      yes = true;
    });
    ending?.addEventListener("abort", () => dialog.close());
    showOnce(dialog, () => {
      resolve(yes);
    });
  });
}

/** Shows a dialog that is gone once it is closed, also by going elsewhere. */
export function showOnce(dialog: HTMLDialogElement, onClosed: () => void): void {
  const close = (): void => {
    dialog.close();
  };
  addEventListener("hashchange", close);
  dialog.addEventListener("close", () => {
    removeEventListener("hashchange", close);
    dialog.remove();
    onClosed();
  });
  document.body.append(dialog);
  dialog.showModal();
}
