/** Pieces for parts that make their elements by hand: heads and refusals. */

import { Refusal } from "../../api/request.ts";
import { make } from "../../dom.ts";
import { showDiagnostics } from "./diagnostics.tsx";

/** A title, and what belongs to it at the other end of its line. */
export function makeHead(title: string, ...aside: Node[]): HTMLElement {
  return make("div", { class: "section-head" }, make("h2", {}, title), ...aside);
}

const HOLE = "\0";

/** A sentence with an element in its hole. */
export function filled(sentence: (hole: string) => string, inside: Node): (Node | string)[] {
  const [before = "", after = ""] = sentence(HOLE).split(HOLE);
  return [before, inside, after].filter((part) => part !== "");
}

/** A place for what the server refuses; read out as soon as something stands there. */
export function makeProblem(): HTMLElement {
  return make("div", { class: "muted problem", role: "alert" });
}

/** What stands there already is not read out again. @throws whatever is no refusal, for that is the console's own mistake */
export function showProblem(place: HTMLElement, problem: unknown): void {
  if (!(problem instanceof Refusal)) throw problem;
  const found = make("div");
  showDiagnostics(found, problem.diagnostics);
  const told = make("div", {}, make("p", {}, problem.message), found);
  if (told.textContent !== place.textContent) place.replaceChildren(...told.childNodes);
}
