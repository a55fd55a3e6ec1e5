/** The button that stands for a row without a page of its own: a press gives a look at the row beside its list. */

import type { ComponentChildren } from "preact";
import { make } from "../../dom.ts";
import { PEEK_EVENT } from "./peeked.ts";

export function Look({ title, children }: { readonly title?: string; readonly children: ComponentChildren }) {
  return (
    <button class="look" type="button" title={title} onClick={({ currentTarget }) => press(currentTarget)}>
      {children}
    </button>
  );
}

/** The same for lists that are made by hand. */
export function makeLook(...children: (Node | string)[]): HTMLElement {
  const button = make("button", { class: "look", type: "button" }, ...children);
  button.addEventListener("click", () => press(button));
  return button;
}

function press(button: HTMLElement): void {
  button.dispatchEvent(new Event(PEEK_EVENT, { bubbles: true }));
}
