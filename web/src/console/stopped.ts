/**
 * Codes that are stopped in a queue, since they fail wherever they run: which these are, an example of each, and the button that lets
 * one go.
 *
 * Owns the list and what the server refuses. Which codes these are says whoever shows the answer.
 */

import { resumeCode } from "../api/client.ts";
import type { QueueView, StoppedCodeView } from "../api/types.gen.ts";
import { make } from "../dom.ts";
import { clock } from "./format.ts";
import { makeProblem, showProblem } from "./parts.ts";
import { jobAddress, queueAddress } from "./route.ts";
import { mayHere } from "./switch.ts";

export interface StoppedList {
  readonly element: HTMLElement;
  readonly update: (stopped: readonly StoppedCodeView[]) => void;
}

/** `onAnswer` hears how the queue stands behind a code that was let go. */
export function makeStopped(onAnswer: (queue: QueueView) => void): StoppedList {
  const list = make("ul", { class: "stopped-list" });
  const problem = makeProblem();
  const title = make("p", { class: "stopped-title" }, "Stopped, since all jobs so far have failed wherever they ran:");
  const element = make("div", { class: "stopped", id: "stopped-codes" }, title, list, problem);
  element.hidden = true;
  let drawn = "";

  async function letGo(button: HTMLButtonElement, { code, queue }: StoppedCodeView): Promise<void> {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    problem.replaceChildren();
    try {
      onAnswer(await resumeCode(code, queue));
    } catch (refused) {
      showProblem(problem, refused);
      button.removeAttribute("aria-disabled");
    }
  }
  function makeRow(stopped: StoppedCodeView): HTMLElement {
    const { code, queue, example, stoppedAt } = stopped;
    const where = make("a", { href: queueAddress(queue) }, queue);
    const failed = make("a", { href: jobAddress(example) }, "a job that failed");
    const since = ` since ${clock(stoppedAt, Date.now())}, see `;
    const row = make("li", {}, make("span", {}, "code ", make("code", {}, code.slice(0, 8)), " in queue ", where, since, failed));
    if (mayHere("jobs:write")) {
      const button = make(
        "button",
        { class: "button", type: "button", "aria-label": `Let code ${code.slice(0, 8)} go in ${queue}` },
        "Let go",
      );
      button.addEventListener("click", () => void letGo(button, stopped));
      row.append(" ", button);
    }
    return row;
  }
  // Drawn again only where it has changed: a button keeps the focus.
  function update(stopped: readonly StoppedCodeView[]): void {
    const text = JSON.stringify(stopped);
    if (text === drawn) return;
    drawn = text;
    element.hidden = stopped.length === 0;
    list.replaceChildren(...stopped.map(makeRow));
  }
  return { element, update };
}
