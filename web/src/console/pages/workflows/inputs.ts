/** Rows of a form, each for the id of a value node and a value. Never says what fits a workflow: the server does. */

import type { RunInput } from "../../../api/client.ts";
import { make } from "../../../dom.ts";
import { RUN_WITH } from "../../words/workflows.ts";

export interface InputRows {
  readonly element: HTMLElement;
  /** What the rows hold now. */
  readonly read: () => RunInput[];
}

interface Row {
  readonly element: HTMLElement;
  readonly id: HTMLInputElement;
  readonly value: HTMLInputElement;
}

/** Drops blanks around ids, and rows without anything. Values stay as they are: blanks count in a String. */
export function filledIn(rows: readonly RunInput[]): RunInput[] {
  return rows.map(({ id, value }) => ({ id: id.trim(), value })).filter(({ id, value }) => id !== "" || value !== "");
}

/** One empty row at first, and a button for more. */
export function makeInputRows(): InputRows {
  const heads = make(
    "div",
    { class: "input-row muted", "aria-hidden": "true" },
    make("span", {}, RUN_WITH.node),
    make("span", {}, RUN_WITH.value),
  );
  const list = make("div", { class: "inputs" }, heads);
  const more = make("button", { class: "button small", type: "button" }, RUN_WITH.add);
  const rows = new Set<Row>();

  function add(): Row {
    const row = makeRow(() => {
      rows.delete(row);
      row.element.remove();
      more.focus();
    });
    rows.add(row);
    list.append(row.element);
    return row;
  }

  more.addEventListener("click", () => {
    add().id.focus();
  });
  add();
  const read = (): RunInput[] => filledIn([...rows].map(({ id, value }) => ({ id: id.value, value: value.value })));
  return { element: make("div", {}, list, more), read };
}

function makeRow(onRemove: () => void): Row {
  const id = makeField(RUN_WITH.node);
  const value = makeField(RUN_WITH.value);
  const remove = make("button", { class: "button small", type: "button", "aria-label": RUN_WITH.remove }, "×");
  remove.addEventListener("click", onRemove);
  // The browser then asks for the id by itself.
  value.addEventListener("input", () => {
    id.required = value.value !== "";
  });
  return { element: make("div", { class: "input-row" }, id, value, remove), id, value };
}

function makeField(label: string): HTMLInputElement {
  const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  return make("input", { class: "field", type: "text", "aria-label": label, ...plain });
}
