/** A result as a card of its own: large where it is short, cut where it is huge. */

import { make } from "../dom.ts";
import { makeDownload } from "./download.ts";
import { makeHead } from "./parts.ts";
import { pretty } from "./pretty.ts";

const SHOWN_CHARS = 20_000;
/** Results of one line that is this short are shown large. */
const HEADLINE_CHARS = 32;

/** `value` in the JSON view of values; the file at `path` holds all of it. */
export function makeResult(value: unknown, path: string, file: string): HTMLElement {
  const { text, cut } = pretty(value, SHOWN_CHARS);
  const body = make("pre", { id: "result", tabindex: "0" }, text);
  if (text.length <= HEADLINE_CHARS && !text.includes("\n")) body.classList.add("headline");
  const card = make("section", { class: "card" }, makeHead("Result", makeDownload(path, file, "Download as JSON")), body);
  if (cut) card.append(make("p", { class: "muted" }, "The result is longer: the download has all of it."));
  return card;
}
