/** How a run ended: its result, or which node failed by which attempts, or that it was cancelled. */

import { resultPath } from "../api/client.ts";
import type { AttemptError, RunError, RunView } from "../api/types.gen.ts";
import { make } from "../dom.ts";
import { counted, jobs } from "./format.ts";
import { pretty } from "./pretty.ts";

const SHOWN_CHARS = 20_000;
/** Results this short are shown large. */
const HEADLINE_CHARS = 32;

/** Nothing while the run goes on. */
export function makeOutcome(view: RunView): HTMLElement | undefined {
  if (view.error !== null) return makeError(view.error);
  switch (view.summary.state) {
    case "FINISHED":
      return makeResult(view);
    case "CANCELLED":
      return makeCancelled(view);
    default:
      return undefined;
  }
}

function makeCancelled({ summary, stats }: RunView): HTMLElement {
  const text = `It had done ${jobs(summary.progress, stats.reused)}. What was left is not computed any more.`;
  const title = make("h2", {}, "This run was cancelled");
  return make("section", { class: "card", id: "cancelled" }, title, make("p", { class: "muted" }, text));
}

function makeResult(view: RunView): HTMLElement {
  const { text, cut } = pretty(view.result, SHOWN_CHARS);
  const { id } = view.summary;
  const link = make("a", { href: resultPath(id), download: `result-${id}.json` }, "Download as JSON");
  const body = make("pre", { id: "result", tabindex: "0" }, text);
  if (text.length <= HEADLINE_CHARS) body.classList.add("headline");
  const card = make("section", { class: "card" }, head("Result", link), body);
  if (cut) card.append(make("p", { class: "muted" }, "The result is longer: the download has all of it."));
  return card;
}

function makeError(error: RunError): HTMLElement {
  const tries = make("span", { class: "muted" }, counted(error.attempts.length, "attempt"));
  const title = head(`Failed at node “${error.node}”`, tries);
  return make("section", { class: "card failed", id: "error" }, title, ...error.attempts.map(makeAttempt));
}

function makeAttempt(error: AttemptError): HTMLElement {
  const title = make("p", {}, make("strong", {}, error.message));
  const where = make("p", { class: "muted" }, `Attempt ${error.attempt} on worker ${error.worker}: ${error.kind}`);
  const article = make("article", { class: "attempt" }, title, where);
  if (error.stack !== "") article.append(make("pre", { tabindex: "0" }, error.stack));
  return article;
}

function head(title: string, aside: Node): HTMLElement {
  return make("div", { class: "card-head" }, make("h2", {}, title), aside);
}
