/**
 * A file of the server's that needs a session: fetched, then handed to the browser, since a link alone sends no key.
 */

import { getBytes } from "../../api/client.ts";
import { make } from "../../dom.ts";
import { makeProblem, showProblem } from "./elements.ts";

/** A button that saves what is at `path`, and a place for what goes wrong. */
export function makeDownload(path: string, file: string, text: string): HTMLElement {
  const button = make("button", { class: "button", type: "button" }, text);
  const problem = makeProblem();
  button.addEventListener("click", () => {
    button.disabled = true;
    problem.replaceChildren();
    getBytes(path)
      .then((bytes) => save(bytes, file))
      .catch((refused: unknown) => showProblem(problem, refused))
      .finally(() => (button.disabled = false));
  });
  return make("div", {}, button, problem);
}

/** Hands it to the browser. */
export function save(bytes: Blob, file: string): void {
  const address = URL.createObjectURL(bytes);
  make("a", { href: address, download: file }).click();
  URL.revokeObjectURL(address);
}
