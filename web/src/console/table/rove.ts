/**
 * One stop of the tabulator for a whole list: the row that had the focus last, or the first one. Arrows and letters lead on from there.
 *
 * Knows rows by the attribute `data-row` alone. What has neither a link nor a look in its first cell is left as it is, for no
 * key would lead there.
 */

import { effect } from "@preact/signals";

/** What keys tell a list: to go to its first row, or to its last one. */
const EDGE_EVENT = "edge";
const CONTROLS = "a, button, input, select, summary";

/** The link to a row's page, or the button that gives a look at a row without one. */
export const STAND = ":is(a, .look)";

/** What stands for a row, in its first cell. */
export function linkOf(row: Element): HTMLElement | null {
  return row.querySelector(`:scope > :first-child ${STAND}`);
}

/** The row that an element stands in; `undefined` outside of all. */
export function rowOf(element: EventTarget | null): HTMLElement | undefined {
  const row = element instanceof Element ? element.closest("[data-row]") : null;
  return row instanceof HTMLElement ? row : undefined;
}

/** Whether the list of this row goes to its end itself, as one that draws only some of its rows. */
export function goesToEdge(row: Element, last: boolean): boolean {
  return !row.dispatchEvent(new CustomEvent(EDGE_EVENT, { bubbles: true, cancelable: true, detail: last }));
}

/** Lets a list go to its ends itself. Answers what stops that. */
export function hearEdge(list: HTMLElement, go: (last: boolean) => void): () => void {
  const hear = (event: Event): void => {
    event.preventDefault();
    go((event as CustomEvent<boolean>).detail);
  };
  list.addEventListener(EDGE_EVENT, hear);
  return () => list.removeEventListener(EDGE_EVENT, hear);
}

/** Lets the row called `stop` be the only one that the tabulator stops at; the first one where that is not there. */
export function rove(rows: readonly HTMLElement[], stop: string | undefined): void {
  const linked = rows.filter((row) => linkOf(row) !== null);
  const only = linked.find(({ dataset }) => dataset["row"] === stop) ?? linked[0];
  for (const row of linked) for (const control of row.querySelectorAll<HTMLElement>(CONTROLS)) control.tabIndex = row === only ? 0 : -1;
}

/** The stop of a list, kept through all changes of its rows: `set` once they have changed, `hear` when something in it takes the focus. */
export function makeStop(rows: () => readonly HTMLElement[]) {
  let stop: string | undefined;
  const set = (): void => rove(rows(), stop);
  const hear = ({ target }: Event): void => {
    const row = rowOf(target)?.dataset["row"];
    if (row === undefined || row === stop) return;
    stop = row;
    set();
  };
  return { set, hear };
}

/** Gives a list that is made by hand its stop. `rows` may read signals: it is asked again once they change. */
export function letRove(list: HTMLElement, rows: () => readonly HTMLElement[]): void {
  const { set, hear } = makeStop(rows);
  effect(set);
  list.addEventListener("focusin", hear);
}
