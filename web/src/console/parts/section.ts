/**
 * A card with a title: a part of a page that is asked of the server.
 *
 * Owns how it looks while it loads and where the server refuses. What it shows says the caller.
 */

import { make } from "../../dom.ts";
import { PARTS } from "../words/parts.ts";
import { makeReading } from "./reading.tsx";

export interface Loaded {
  readonly element: HTMLElement;
  /** Asks anew. What is shown stays until the answer is there. */
  readonly reload: () => Promise<void>;
}

/** A card; `show` makes what stands below its title. */
export function makeCard<T>(id: string, title: string, load: () => Promise<T>, show: (it: T) => Node[]): Loaded {
  const body = make("div", { class: "card-body", id });
  const reading = makeReading(body);
  // The focus comes here when what had it is gone.
  const head = make("h2", { tabindex: "-1" }, title);
  body.append(make("p", { class: "muted" }, PARTS.loading));
  let newest = 0;

  async function reload(): Promise<void> {
    newest += 1;
    const mine = newest;
    try {
      const nodes = show(await load());
      if (mine !== newest) return;
      const held = [body, reading.place].some((one) => one.contains(document.activeElement));
      body.replaceChildren(...nodes);
      reading.succeeded();
      if (held) head.focus();
    } catch (refused) {
      if (mine !== newest) return;
      if (!reading.isKnown()) body.replaceChildren();
      reading.refused(refused, () => void reload());
    }
  }

  void reload();
  return { element: make("section", { class: "card" }, head, reading.place, body), reload };
}
