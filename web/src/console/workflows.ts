/**
 * The list of stored workflows: a card for each name, its newest version first, each with a button that runs it, and one that asks
 * for other values first.
 *
 * Asks the server each time the list is shown. Where a new run goes is the caller's.
 */

import { listWorkflows, runStored } from "../api/client.ts";
import { Refusal } from "../api/request.ts";
import type { NamedWorkflowView, RunCreated, WorkflowVersionView } from "../api/types.gen.ts";
import { byId, make } from "../dom.ts";
import { age, counted, size } from "./format.ts";
import { makeProblem, showProblem } from "./parts.ts";
import { makeRunWith } from "./runwith.ts";
import { mayHere } from "./switch.ts";

/** Digits of a hash that people compare. */
const SHORT = 12;

type OnCreated = (run: RunCreated) => void;

let looks = 0;

/** Brings the list up to date. */
export async function showWorkflows(onCreated: OnCreated): Promise<void> {
  const section = byId("workflows-section", HTMLElement);
  looks += 1;
  const mine = looks;
  try {
    const named = await listWorkflows();
    if (mine !== looks) return;
    byId("workflows", HTMLElement).replaceChildren(...named.map((workflow) => makeCard(workflow, onCreated)));
    section.hidden = named.length === 0;
  } catch (problem) {
    // The line about the fleet says already that the server is away; what was listed before stays.
    if (!(problem instanceof Refusal)) throw problem;
  }
}

function makeCard({ name, versions }: NamedWorkflowView, onCreated: OnCreated): HTMLLIElement {
  const [newest, ...earlier] = versions.map((version) => makeVersion(name, version, onCreated));
  const card = make("li", { class: "card workflow", "data-workflow": name }, make("strong", { class: "run-name" }, name));
  if (newest !== undefined) card.append(newest);
  if (earlier.length > 0) {
    const summary = make("summary", { class: "muted" }, counted(earlier.length, "earlier version"));
    card.append(make("details", {}, summary, ...earlier));
  }
  return card;
}

function makeVersion(name: string, version: WorkflowVersionView, onCreated: OnCreated): HTMLElement {
  const short = version.workflow.slice(0, SHORT);
  const when = make("time", { datetime: new Date(version.createdAt).toISOString() }, age(version.createdAt, Date.now()));
  const about = make("span", { class: "muted" }, when, ` · ${counted(version.files, "file")} · ${size(version.bytes)}`);
  const facts = make("div", { class: "facts" }, make("code", { title: version.workflow }, short), about);
  if (!mayHere("runs:write")) return make("div", { class: "version", "data-version": version.workflow }, facts);
  const label = `Run ${name}, version ${short}`;
  const button = make("button", { class: "button", type: "button", "aria-label": label }, "Run");
  const other = makeRunWith({ workflow: version.workflow, name, short }, onCreated);
  const problem = makeProblem();
  button.addEventListener("click", () => {
    button.disabled = true;
    runStored(version.workflow, name)
      .then(onCreated, (refused: unknown) => {
        showProblem(problem, refused);
      })
      .finally(() => {
        button.disabled = false;
      });
  });
  const buttons = make("div", { class: "buttons" }, button, other);
  return make("div", { class: "version", "data-version": version.workflow }, facts, buttons, problem);
}
