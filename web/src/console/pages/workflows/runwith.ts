/**
 * The form behind "Run with…" of a stored workflow: run inputs, and whether stored results are taken.
 *
 * Owns the dialog. What fits the workflow only the server says; where a new run goes is the caller's.
 */

import { runStored } from "../../../api/client.ts";
import type { RunCreated } from "../../../api/types.gen.ts";
import { make, setText } from "../../../dom.ts";
import { type KnownValue, makeInputRows } from "./inputs.ts";
import { makeProblem, showProblem } from "../../parts/elements.ts";
import { showOnce } from "../../parts/question.ts";
import { RUN_WITH } from "../../words/workflows.ts";

interface Version {
  /** Content hash. */
  readonly workflow: string;
  readonly name: string;
  /** What people compare of the hash. */
  readonly short: string;
  /** Its value nodes, where they are known. */
  readonly values?: readonly KnownValue[];
}

type OnCreated = (run: RunCreated) => void;

/** Opens the form. */
export function openRunWith(version: Version, onCreated: OnCreated): void {
  const dialog = makeDialog(version, onCreated);
  showOnce(dialog, () => undefined);
}

function makeDialog({ workflow, name, short, values = [] }: Version, onCreated: OnCreated): HTMLDialogElement {
  const inputs = makeInputRows(values);
  const reuse = make("input", { type: "checkbox", id: "run-with-reuse", "aria-describedby": "run-with-reuse-text" });
  const problem = makeProblem();
  const run = make("button", { class: "button primary", id: "run-with-yes", type: "submit" }, RUN_WITH.run);
  const no = make("button", { class: "button", type: "button" }, RUN_WITH.close);
  const form = make(
    "form",
    {},
    make("h2", { id: "run-with-title" }, RUN_WITH.title(name)),
    make("p", { class: "muted" }, `${RUN_WITH.version} `, make("code", {}, short)),
    inputFields(inputs.element),
    reuseField(reuse),
    problem,
    make("div", { class: "buttons" }, no, run),
  );
  const dialog = make("dialog", { class: "card question wide", "aria-labelledby": "run-with-title" }, form);
  let sending = false;

  async function start(): Promise<void> {
    if (sending) return;
    sending = true;
    setText(run, RUN_WITH.starting);
    problem.replaceChildren();
    try {
      const created = await runStored(workflow, name, { inputs: inputs.read(), reuse: reuse.checked });
      dialog.close();
      onCreated(created);
    } catch (refused) {
      showProblem(problem, refused);
    } finally {
      sending = false;
      setText(run, RUN_WITH.run);
    }
  }

  no.addEventListener("click", () => {
    dialog.close();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void start();
  });
  return dialog;
}

function inputFields(rows: HTMLElement): HTMLElement {
  return make("fieldset", {}, make("legend", {}, RUN_WITH.inputs), make("p", { class: "muted" }, RUN_WITH.inputsWords), rows);
}

function reuseField(box: HTMLInputElement): HTMLElement {
  const words = make("label", { for: box.id }, RUN_WITH.reuse);
  const text = make("p", { class: "muted", id: "run-with-reuse-text" }, RUN_WITH.reuseWords);
  return make("div", { class: "tick" }, box, make("div", {}, words, text));
}
