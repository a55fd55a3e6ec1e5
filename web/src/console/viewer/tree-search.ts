/** The search of a tree: a field, what was found, a button for each place. Looks a little at a time, so that the page stays awake. */

import { make, setText } from "../../dom.ts";
import { type Path, search } from "./tree.ts";
import { VIEWER } from "../words/viewer.ts";

/** Places that are shown. */
const MAX_FOUND = 100;
/** For how long it looks before the page has its turn. */
const SLICE_MS = 8;

export function makeSearch(value: unknown, reveal: (path: Path) => void): HTMLElement {
  const field = make("input", {
    class: "field",
    type: "search",
    "aria-label": VIEWER.search,
    placeholder: VIEWER.search,
    spellcheck: "false",
  });
  const find = make("button", { class: "button small", type: "submit" }, VIEWER.find);
  const told = make("p", { class: "muted", role: "status" });
  const list = make("ul", { class: "found" });
  const form = make("form", { class: "tree-search", role: "search" }, field, find);
  let asked = 0;

  async function look(text: string): Promise<void> {
    asked += 1;
    const own = asked;
    const found: Path[] = [];
    list.replaceChildren();
    setText(told, "");
    if (text === "") return;
    const isAll = await gather(search(value, text), found, () => own === asked);
    if (own !== asked) return;
    setText(told, VIEWER.found(found.length, isAll));
    list.replaceChildren(...found.map((path) => makePlace(path, reveal)));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void look(field.value);
  });
  return make("div", {}, form, told, list);
}

/** Answers whether there is no more than what was found. */
async function gather(places: Generator<Path | undefined>, found: Path[], goesOn: () => boolean): Promise<boolean> {
  let until = performance.now() + SLICE_MS;
  for (const path of places) {
    if (path !== undefined) {
      if (found.length === MAX_FOUND) return false;
      found.push(path);
    }
    if (performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (!goesOn()) return false;
    until = performance.now() + SLICE_MS;
  }
  return true;
}

function makePlace(path: Path, reveal: (path: Path) => void): HTMLElement {
  const button = make("button", { class: "link", type: "button" }, path.join(" › "));
  button.addEventListener("click", () => reveal(path));
  return make("li", {}, button);
}
