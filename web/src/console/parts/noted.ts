/** A question with a note for others: the dialog around its fields. What is sent then is the caller's. */

import { make } from "../../dom.ts";
import { PARTS } from "../words/parts.ts";
import { type Sending, makeField, makeForm } from "./form.ts";
import { showOnce } from "./question.ts";

/** What the server allows. */
const NOTE_CHARS = "200";

/** `hint`: who reads it. */
export function makeNote(id: string, hint: string) {
  return makeField(id, PARTS.noted.note, { maxlength: NOTE_CHARS, autocomplete: "off" }, hint);
}

interface Noted {
  /** The ids in it begin with it. */
  readonly id: string;
  readonly title: string;
  /** What it means, in words. */
  readonly means: string;
  readonly fields: readonly HTMLElement[];
}

/** The dialog closes once it is done; what is refused stands in it. The focus then goes where it was, or to the title of the page. */
export function showNoted({ id, title, means, fields }: Noted, sending: Sending): HTMLDialogElement {
  const stay = make("button", { class: "button", type: "button" }, PARTS.noted.no);
  const send = async (): Promise<void> => {
    await sending.send();
    dialog.close();
  };
  const form = makeForm([make("p", { id: `${id}-means` }, means), ...fields], { ...sending, aside: [stay], send });
  const names = { "aria-labelledby": `${id}-title`, "aria-describedby": `${id}-means` };
  const dialog = make("dialog", { class: "card question", ...names }, make("h2", { id: `${id}-title` }, title), form);
  stay.addEventListener("click", () => dialog.close());
  showOnce(dialog, () => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>("main h1")?.focus();
  });
  return dialog;
}
