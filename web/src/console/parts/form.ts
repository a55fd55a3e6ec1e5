/**
 * Forms: fields with their labels, and a button that says while it works. What the server refuses stands above the button.
 *
 * Owns both. What is sent says the caller.
 */

import { make, setText } from "../../dom.ts";
import { PARTS } from "../words/parts.ts";
import { makeProblem, showProblem } from "./elements.ts";

type Attributes = Readonly<Record<string, string>>;

export interface Field<T extends HTMLElement> {
  /** The label, the input, and the hint below. */
  readonly element: HTMLElement;
  readonly input: T;
}

/** A line of text, or what `attributes` make of it. */
export function makeField(id: string, label: string, attributes: Attributes = {}, hint = ""): Field<HTMLInputElement> {
  const input = make("input", { class: "field", id, ...attributes, ...describedBy(id, hint) });
  return { element: fieldOf(id, label, input, hint), input };
}

/** A password, which can be shown. */
export function makePasswordField(id: string, label: string, kind: "new" | "current", hint = ""): Field<HTMLInputElement> {
  const attributes = { type: "password", autocomplete: `${kind}-password`, required: "", spellcheck: "false", autocapitalize: "none" };
  const field = makeField(id, label, attributes, hint);
  const shown = makeTick(`${id}-shown`, PARTS.showPassword);
  shown.input.addEventListener("change", () => {
    field.input.type = shown.input.checked ? "text" : "password";
  });
  field.element.append(shown.element);
  return field;
}

/** One of several words; each option is its value and what people read. */
export function makeChoice(
  id: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
): Field<HTMLSelectElement> {
  const input = make("select", { class: "field", id }, ...options.map(([value, text]) => make("option", { value }, text)));
  return { element: fieldOf(id, label, input, ""), input };
}

export function makeTick(id: string, label: string, hint = ""): Field<HTMLInputElement> {
  const input = make("input", { type: "checkbox", id, ...describedBy(id, hint) });
  const words = make("div", {}, make("label", { for: id }, label), ...hintOf(id, hint));
  return { element: make("div", { class: "tick" }, input, words), input };
}

export interface Sending {
  /** On the button, and while it works. */
  readonly submit: string;
  readonly busy: string;
  /** What cannot be taken back is red. */
  readonly tone?: "primary" | "danger";
  /** Further buttons before it. */
  readonly aside?: readonly HTMLElement[];
  /** What it refuses is shown. @throws Refusal */
  readonly send: () => Promise<void>;
}

/** A disabled button would lose the focus of people who work with the keyboard; a second press does nothing instead. */
export function makeForm(parts: readonly Node[], { submit, busy, tone = "primary", aside = [], send }: Sending): HTMLFormElement {
  const button = make("button", { class: `button ${tone}`, type: "submit" }, submit);
  const problem = makeProblem();
  const form = make("form", { class: "form" }, ...parts, problem, make("div", { class: "buttons" }, ...aside, button));
  let sending = false;

  async function press(): Promise<void> {
    if (sending) return;
    sending = true;
    setText(button, busy);
    problem.replaceChildren();
    try {
      await send();
    } catch (refused) {
      showProblem(problem, refused);
    } finally {
      sending = false;
      setText(button, submit);
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void press();
  });
  return form;
}

/** A button for one deed, and a place for what is refused of it. */
export function makeDeed(text: string, label: string, deed: () => Promise<unknown>): HTMLElement {
  const button = make("button", { class: "button small", type: "button", "aria-label": label }, text);
  const problem = makeProblem();
  let sending = false;

  async function press(): Promise<void> {
    if (sending) return;
    sending = true;
    button.setAttribute("aria-disabled", "true");
    problem.replaceChildren();
    try {
      await deed();
    } catch (refused) {
      showProblem(problem, refused);
    } finally {
      sending = false;
      button.removeAttribute("aria-disabled");
    }
  }

  button.addEventListener("click", () => void press());
  return make("div", { class: "deed" }, button, problem);
}

function fieldOf(id: string, label: string, input: HTMLElement, hint: string): HTMLElement {
  return make("div", { class: "form-field" }, make("label", { for: id }, label), input, ...hintOf(id, hint));
}

function hintOf(id: string, hint: string): HTMLElement[] {
  return hint === "" ? [] : [make("p", { class: "muted", id: `${id}-hint` }, hint)];
}

function describedBy(id: string, hint: string): Attributes {
  return hint === "" ? {} : { "aria-describedby": `${id}-hint` };
}
