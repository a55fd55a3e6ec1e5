/**
 * Parts of a page that are asked of the server: a card with a title, and a list that is read page by page.
 *
 * Own how they look while they load, where nothing is there and where the server refuses. What they show says the caller.
 */

import { make, setText } from "../../dom.ts";
import { makeProblem, showProblem } from "./elements.ts";

export interface Loaded {
  readonly element: HTMLElement;
  /** Asks anew. What is shown stays until the answer is there. */
  readonly reload: () => Promise<void>;
}

/** A card; `show` makes what stands below its title. */
export function makeCard<T>(id: string, title: string, load: () => Promise<T>, show: (it: T) => Node[]): Loaded {
  const body = make("div", { class: "card-body", id });
  const problem = makeProblem();
  // The focus comes here when what had it is gone.
  const head = make("h2", { tabindex: "-1" }, title);
  body.append(make("p", { class: "muted" }, "Loading…"));
  let newest = 0;

  async function reload(): Promise<void> {
    newest += 1;
    const mine = newest;
    try {
      const nodes = show(await load());
      if (mine !== newest) return;
      const held = body.contains(document.activeElement);
      body.replaceChildren(...nodes);
      problem.replaceChildren();
      if (held) head.focus();
    } catch (refused) {
      if (mine !== newest) return;
      if (body.dataset["loaded"] === undefined) body.replaceChildren();
      showProblem(problem, refused);
    }
    body.dataset["loaded"] = "";
  }

  void reload();
  return { element: make("section", { class: "card" }, head, problem, body), reload };
}

interface Part<T> {
  readonly rows: readonly T[];
  /** What the next page begins behind; `null`: there is none. */
  readonly next: string | null;
}

export interface Paged<T> {
  readonly id: string;
  readonly read: (after: string | null) => Promise<Part<T>>;
  readonly row: (it: T) => HTMLElement;
  /** Where there is nothing. */
  readonly empty: string;
}

/** A list and its button; `reload` begins with the first page. */
export function makePaged<T>({ id, read, row, empty }: Paged<T>): Loaded {
  // The focus comes here when what had it is gone.
  const list = make("ul", { class: "entries", id, tabindex: "-1" });
  const told = make("p", { class: "muted", role: "status" }, "Loading…");
  const more = make("button", { class: "button", id: `more-${id}`, type: "button" }, "Show more");
  const problem = makeProblem();
  let next: string | null = null;
  let newest = 0;

  async function turn(after: string | null): Promise<void> {
    newest += 1;
    const mine = newest;
    problem.replaceChildren();
    try {
      const part = await read(after);
      if (mine !== newest) return;
      const held = after === null && list.contains(document.activeElement);
      if (after === null) list.replaceChildren();
      const first = list.childElementCount;
      list.append(...part.rows.map(row));
      next = part.next;
      setText(told, list.childElementCount === 0 ? empty : "");
      // The button goes, and the focus with it.
      if (next === null && document.activeElement === more) list.children[first]?.querySelector<HTMLElement>("a, summary, button")?.focus();
      more.hidden = next === null;
      if (held) list.focus();
    } catch (refused) {
      if (mine !== newest) return;
      setText(told, "");
      showProblem(problem, refused);
    }
  }

  more.hidden = true;
  more.addEventListener("click", () => void turn(next));
  void turn(null);
  return { element: make("div", { class: "paged" }, problem, list, told, more), reload: () => turn(null) };
}

/** Such a list in a card of its own. */
export function makePagedCard<T>(title: string, paged: Paged<T>): Loaded {
  const { element, reload } = makePaged(paged);
  return { element: make("section", { class: "card" }, make("h2", {}, title), element), reload };
}
