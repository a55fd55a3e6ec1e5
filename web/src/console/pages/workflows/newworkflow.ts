/** The form behind "New workflow…": a name, and what it begins with. Owns the dialog; the editor does the rest. */

import type { ExampleView } from "../../../api/types.gen.ts";
import { Refusal } from "../../../api/request.ts";
import { make } from "../../../dom.ts";
import { editAddress } from "../../app/routes.ts";
import { loadExamples } from "../../data/edited.ts";
import { showOnce } from "../../parts/question.ts";
import { NEW_WORKFLOW } from "../../words/drafts.ts";

/** Those whose files are all texts: `editor/starts.ts` has them. */
const STARTS: ReadonlySet<string> = new Set(["add", "pi", "flops", "saxpy"]);

export function openNewWorkflow(): void {
  const name = make("input", {
    class: "field",
    id: "new-name",
    required: "",
    pattern: "[^\\s\\/]+",
    autocomplete: "off",
    spellcheck: "false",
  });
  const starts = make("div", {}, startLine("", NEW_WORKFLOW.empty, NEW_WORKFLOW.emptyWords, true));
  const no = make("button", { class: "button", type: "button" }, NEW_WORKFLOW.close);
  const go = make("button", { class: "button primary", id: "new-yes", type: "submit" }, NEW_WORKFLOW.go);
  const form = make(
    "form",
    {},
    make("h2", { id: "new-title" }, NEW_WORKFLOW.title),
    make("p", { class: "buttons" }, make("label", { for: "new-name" }, NEW_WORKFLOW.name), name),
    make("fieldset", { class: "panel" }, make("legend", {}, NEW_WORKFLOW.start), starts),
    make("div", { class: "buttons" }, no, go),
  );
  const dialog = make("dialog", { class: "card question wide", "aria-labelledby": "new-title" }, form);
  no.addEventListener("click", () => dialog.close());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const start = new FormData(form).get("start");
    dialog.close();
    location.hash = editAddress(name.value, "", typeof start === "string" ? start : "");
  });
  showOnce(dialog, () => undefined);
  void offer(starts);
}

/** What the server brings along is a help: without it there is the empty one. */
async function offer(starts: HTMLElement): Promise<void> {
  let examples: readonly ExampleView[] = [];
  try {
    examples = await loadExamples();
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused;
  }
  const known = examples.filter((example) => STARTS.has(example.name));
  starts.append(...known.map((example) => startLine(example.name, example.name, example.about, false)));
}

function startLine(value: string, title: string, about: string, chosen: boolean): HTMLElement {
  const box = make("input", { type: "radio", name: "start", value, ...(chosen ? { checked: "" } : {}) });
  return make("label", { class: "option-line" }, box, make("span", {}, make("strong", {}, title), ` ${about}`));
}
