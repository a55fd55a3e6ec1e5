/** How a run ended: its result, or which node failed by which attempts, or that it was cancelled. */

import { certificatePath, resultPath } from "../api/client.ts";
import type { AttemptError, RunError, RunView } from "../api/types.gen.ts";
import { make } from "../dom.ts";
import { makeDownload } from "./download.ts";
import { counted, jobs } from "./format.ts";
import { makeDiagnostics, makeHead } from "./parts.ts";
import { makeResult } from "./result.ts";

/** Nothing while the run goes on. */
export function makeOutcome(view: RunView): HTMLElement | undefined {
  const outcome = makeWord(view);
  return outcome !== undefined && view.certificate === true ? make("div", {}, outcome, makeCertificate(view.summary.id)) : outcome;
}

function makeWord(view: RunView): HTMLElement | undefined {
  if (view.error === null) return makeEnd(view);
  // Only facts that cannot be read stand beside another end than a failure.
  const end = view.summary.state === "FAILED" ? undefined : makeEnd(view);
  const error = makeError(view.error);
  return end === undefined ? error : make("div", {}, error, end);
}

function makeEnd(view: RunView): HTMLElement | undefined {
  switch (view.summary.state) {
    case "FINISHED":
      return makeResult(view.result, resultPath(view.summary.id), `result-${view.summary.id}.json`);
    case "CANCELLED":
      return makeCancelled(view);
    default:
      return undefined;
  }
}

/** On whose word it stands. */
function makeCertificate(run: string): HTMLElement {
  const download = makeDownload(certificatePath(run), `${run}.certificate`, "Download the certificate");
  const text = "Who computed what, and on whose word it was believed: signed lines that weevil verify checks without this server.";
  const head = makeHead("Certificate", download);
  return make("section", { class: "card", id: "certificate" }, head, make("p", { class: "muted" }, text));
}

function makeCancelled({ summary, stats }: RunView): HTMLElement {
  const text = `It had done ${jobs(summary.progress, stats.reused)}. What was left is not computed any more.`;
  const title = make("h2", {}, "This run was cancelled");
  return make("section", { class: "card", id: "cancelled" }, title, make("p", { class: "muted" }, text));
}

function makeError(error: RunError): HTMLElement {
  const card = make("section", { class: "card failed", id: "error" }, makeTitle(error));
  if (error.message !== undefined) card.append(make("p", {}, error.message));
  if (error.diagnostics !== undefined) card.append(makeDiagnostics(error.diagnostics));
  card.append(...error.attempts.map(makeAttempt));
  return card;
}

/** No node is named where the run itself failed. */
function makeTitle(error: RunError): HTMLElement {
  if (error.node === "") return make("h2", {}, "What went wrong with this run");
  const tries = make("span", { class: "muted" }, counted(error.attempts.length, "attempt"));
  return makeHead(`Failed at node “${error.node}”`, tries);
}

function makeAttempt(error: AttemptError): HTMLElement {
  const title = make("p", {}, make("strong", {}, error.message));
  const where = make("p", { class: "muted" }, `Attempt ${error.attempt} on worker ${error.worker}: ${error.kind}`);
  const article = make("article", { class: "attempt" }, title, where);
  if (error.stack !== "") article.append(make("pre", { tabindex: "0" }, error.stack));
  return article;
}
