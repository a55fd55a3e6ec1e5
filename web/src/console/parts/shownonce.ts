/**
 * A secret that the server tells once: a link for somebody, or a token. It stands in the page until somebody leaves, and nowhere else.
 */

import { make, setText } from "../../dom.ts";
import { PARTS } from "../words/parts.ts";

/** Takes the focus once it is in the page, for it can be read only now. */
export function showOnceHere(place: HTMLElement, id: string, label: string, secret: string, hint: string): void {
  const field = make("input", { class: "field", id, value: secret, readonly: "", spellcheck: "false", autocomplete: "off" });
  const copy = make("button", { class: "button", type: "button" }, PARTS.copy);
  const told = make("span", { class: "muted", role: "status" });
  field.addEventListener("focus", () => {
    field.select();
  });
  copy.addEventListener("click", () => {
    void copyOf(field, told);
  });
  const words = make("p", { class: "muted" }, hint);
  const line = make("div", { class: "once-line" }, field, copy);
  place.replaceChildren(make("div", { class: "notice once", "data-tone": "busy" }, make("label", { for: id }, label), line, told, words));
  field.focus();
}

/** Browsers give no clipboard to pages that came over plain HTTP from another machine. */
async function copyOf(field: HTMLInputElement, told: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(field.value);
    setText(told, PARTS.copiedOnce);
  } catch {
    field.select();
    setText(told, PARTS.selected);
  }
}
