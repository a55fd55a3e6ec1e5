/**
 * One stop of the tabulator for a whole list: the row that had the focus last, or the first one. Arrows and letters lead on from there.
 *
 * Knows rows by the attribute `data-row` alone. What has neither a link nor a look in its first cell is left as it is, for no
 * key would lead there.
 */

const CONTROLS = "a, button, input, select";

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

/** Lets the row called `stop` be the only one that the tabulator stops at; the first one where that is not there. */
export function rove(rows: readonly HTMLElement[], stop: string | undefined): void {
  const linked = rows.filter((row) => linkOf(row) !== null);
  const only = linked.find(({ dataset }) => dataset["row"] === stop) ?? linked[0];
  for (const row of linked) for (const control of row.querySelectorAll<HTMLElement>(CONTROLS)) control.tabIndex = row === only ? 0 : -1;
}
