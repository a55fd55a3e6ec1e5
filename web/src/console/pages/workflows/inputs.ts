/**
 * Rows of a form, each for the id of a value node and a value: those that are known with their types and present values, and any other.
 * What is plainly no value of a type is said as it is typed; what fits a workflow only the server says.
 */

import type { RunInput } from "../../../api/client.ts";
import { make, setText } from "../../../dom.ts";
import { RUN_WITH } from "../../words/workflows.ts";

/** A value node of a document. */
export interface KnownValue {
  readonly id: string;
  readonly type: string;
  /** What it says now; `undefined` where a file says it. */
  readonly value: string | undefined;
  /** That file. */
  readonly source: string;
}

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

/** A row for each value that is known, else an empty one, and a button for more. */
export function makeInputRows(known: readonly KnownValue[] = []): InputRows {
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
  const fixed = known.map(makeKnownRow);
  list.append(...fixed.map(({ element }) => element));
  if (known.length === 0) add();
  const read = (): RunInput[] => {
    const others = filledIn([...rows].map(({ id, value }) => ({ id: id.value, value: value.value })));
    return [...fixed.flatMap(({ read: changed }) => changed()), ...others];
  };
  return { element: make("div", {}, list, more), read };
}

/** Only another value than the present one counts. */
function makeKnownRow({ id, type, value, source }: KnownValue): { readonly element: HTMLElement; readonly read: () => RunInput[] } {
  const field = makeField(`${id}, ${type}`);
  field.value = value ?? "";
  field.placeholder = value === undefined ? source : "";
  field.dataset["input"] = id;
  const wrong = make("small", { class: "problem", id: `wrong-${id}` });
  field.setAttribute("aria-describedby", wrong.id);
  field.addEventListener("input", () => tell(field, wrong, isValueOf(type, field.value) ? "" : RUN_WITH.notA(type)));
  const changed = (): boolean => (value === undefined ? field.value !== "" : field.value !== value);
  const name = make("span", { class: "known-input" }, make("code", {}, id), make("span", { class: "muted" }, ` ${type}`));
  const written = make("span", { class: "written-input" }, field, wrong);
  return { element: make("div", { class: "input-row" }, name, written), read: () => (changed() ? [{ id, value: field.value }] : []) };
}

/** Says below a field what is wrong with it, and keeps the form from being sent; nothing where `why` is empty. */
function tell(field: HTMLInputElement, place: HTMLElement, why: string): void {
  field.setCustomValidity(why);
  field.ariaInvalid = String(why !== "");
  setText(place, why);
}

/** Whether a literal can be a value of this type; what is not known is left to the server. */
export function isValueOf(type: string, text: string): boolean {
  const written = text.trim();
  switch (type) {
    case "Number":
      return written === "NaN" || (written !== "" && !Number.isNaN(Number(written)));
    case "Boolean":
      return written === "true" || written === "false";
    case "Array":
      return Array.isArray(parsed(written));
    case "Object":
      return typeof parsed(written) === "object" && parsed(written) !== null && !Array.isArray(parsed(written));
    default:
      return !type.endsWith("Array") || Array.isArray(parsed(written));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
