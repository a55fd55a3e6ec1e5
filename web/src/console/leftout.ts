/**
 * What a run's page says of engines that get no more of some of its code.
 *
 * Owns the words and their list. Never says that a volunteer is at fault.
 */

import { engineName } from "./engine.ts";
import type { DifferenceView, LeftOutView } from "../api/types.gen.ts";
import { make } from "../dom.ts";
import { jobAddress } from "./route.ts";

const CURE =
  'Nobody who runs it is at fault. Let the code round what it returns where engines calculate differently, or say agree="near(1e-9)" or within="engine" there.';

/** Empty and hidden where no engine is left out. */
export interface LeftOut {
  readonly element: HTMLElement;
  readonly update: (engines: readonly LeftOutView[]) => void;
}

export function makeLeftOut(): LeftOut {
  const element = make("ul", { class: "left-out", id: "run-left-out" });
  let painted = "";
  const update = (engines: readonly LeftOutView[]): void => {
    element.hidden = engines.length === 0;
    const now = JSON.stringify(engines);
    if (now === painted) return;
    painted = now;
    element.replaceChildren(...engines.map(item));
  };
  update([]);
  return { element, update };
}

/** `Firefox gets no more of code 3f2a91c0: what it says differs from what Chromium says.` */
export function leftOutText({ code, engine, leading }: LeftOutView): string {
  const shown = code.slice(0, 8);
  return `${engineName(engine)} gets no more of code ${shown}: what it says differs from what ${engineName(leading)} says.`;
}

function item(left: LeftOutView): HTMLElement {
  const seen = left.differences.map((difference) => example(left, difference));
  return make("li", {}, `${leftOutText(left)} ${CURE}`, ...seen);
}

function example({ engine, leading }: LeftOutView, { job, path, said, leadingSaid }: DifferenceView): HTMLElement {
  const link = make("a", { href: jobAddress(job) }, path);
  return make("p", { class: "muted" }, link, `: ${engineName(engine)} says ${said}, ${engineName(leading)} ${leadingSaid}`);
}
