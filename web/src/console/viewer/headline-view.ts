/** One value, large where it is short, in full precision. Takes the value, asks nobody. */

import { make, setText } from "../../dom.ts";
import { numberText } from "./text.ts";
import type { View } from "./view.ts";
import { VIEWER } from "../words/viewer.ts";

/** One line that is no longer is shown large. */
const LARGE_CHARS = 32;
/** More are not shown: the files have all of them. */
const SHOWN_CHARS = 100_000;

export class HeadlineView implements View {
  readonly element: HTMLElement;
  readonly tools: readonly HTMLElement[];

  constructor(value: unknown) {
    const text = typeof value === "number" ? numberText(value) : String(value);
    const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
    this.element = make("pre", { class: text.length <= LARGE_CHARS && !text.includes("\n") ? "headline" : "text", tabindex: "0" }, shown);
    const copy = make("button", { class: "button small", type: "button", "data-tool": "copy" }, VIEWER.copy);
    copy.addEventListener("click", () => {
      // Without a clipboard, as over plain HTTP, it is marked, and the keys of the system copy it.
      const write = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
      write.then(
        () => setText(copy, VIEWER.copied),
        () => getSelection()?.selectAllChildren(this.element),
      );
    });
    this.tools = [copy];
  }
}
