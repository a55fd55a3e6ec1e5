/**
 * A result as what it is: large where it is short, cut where it is huge; the download has all of it.
 *
 * The one place where the value of a run or a job is shown.
 */

import { make } from "../../dom.ts";
import { makeDownload } from "../parts/download.ts";
import { makeHead } from "../parts/elements.ts";
import { pretty } from "./pretty.ts";

const SHOWN_CHARS = 20_000;
/** Results of one line that is this short are shown large. */
const HEADLINE_CHARS = 32;

export interface ResultSource {
  /** In the JSON view of values. */
  readonly value: unknown;
  /** Where all of it is. */
  readonly path: string;
  /** What a file of it is called. */
  readonly file: string;
}

export function showResult(place: HTMLElement, { value, path, file }: ResultSource): void {
  const { text, cut } = pretty(value, SHOWN_CHARS);
  const body = make("pre", { id: "result", tabindex: "0" }, text);
  if (text.length <= HEADLINE_CHARS && !text.includes("\n")) body.classList.add("headline");
  place.replaceChildren(makeHead("Result", makeDownload(path, file, "Download as JSON")), body);
  if (cut) place.append(make("p", { class: "muted" }, "The result is longer: the download has all of it."));
}
