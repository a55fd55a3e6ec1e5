/**
 * What can be done to a run that goes on, by those who may: pause and resume it, cancel it; and the sentence that says it is paused.
 */

import { cancelRun, setRunPaused } from "../api/client.ts";
import type { RunSummary, RunView } from "../api/types.gen.ts";
import { make, setText } from "../dom.ts";
import { makeCancel } from "./cancel.ts";
import { isOver } from "./format.ts";
import { makePause } from "./pause.ts";
import { mayThere } from "./switch.ts";

const PAUSED = "Paused: nothing of it is handed out. What workers hold goes on.";
const INCOMPARABLE =
  "Paused by the server: known devices say three different things of several jobs of one code, so no two of them would ever agree. " +
  'Let the code give the same each time, with deterministic="true" and without a clock, and start it anew. Resumed, it goes on as it is.';
const AGREE_FAILED =
  "Paused by the server: a module of the workflow failed when it was asked about an answer. " +
  "Mend the module and start the run anew. Resumed, it goes on: answers that the module could not compare count as different.";
const CANCELLED = "Jobs that wait are dropped, and volunteers are told to stop those that they compute. This cannot be undone.";

export interface RunActions {
  readonly element: HTMLElement;
  /** Answers whether the focus has to go elsewhere. */
  readonly update: (run: RunSummary) => boolean;
}

export function makeRunActions(run: string, onView: (view: RunView) => void): RunActions {
  const pause = makePause("run", (paused) => setRunPaused(run, paused), onView);
  const cancel = makeCancel({ what: "run", means: CANCELLED, cancel: () => cancelRun(run) });
  const told = make("p", { class: "paused", id: "run-paused", role: "status" });
  const buttons = make("div", { class: "actions" }, pause.problem, pause.button, cancel.element);
  const update = (summary: RunSummary): boolean => {
    const { state, paused, project } = summary;
    const over = isOver(state);
    pause.update(paused);
    setText(told, paused && !over ? pausedText(summary) : "");
    const held = buttons.contains(document.activeElement);
    const left = cancel.update(over);
    buttons.hidden = over || !mayThere("runs:write", project);
    return left || (over && held);
  };
  return { element: make("div", {}, told, buttons), update };
}

/** Who has paused a run, and what to do about it. */
export function pausedText({ pausedWhy, pausedWords }: Pick<RunSummary, "pausedWhy" | "pausedWords">): string {
  if (pausedWhy === "incomparable") return INCOMPARABLE;
  return pausedWhy === "agreeFailed" ? `${AGREE_FAILED} ${pausedWords ?? ""}`.trim() : PAUSED;
}
