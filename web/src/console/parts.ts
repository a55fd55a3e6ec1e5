/** Pieces that several parts of the console show: badges, progress bars, refusals, lists of diagnostics. */

import { Refusal } from "../api/client.ts";
import type { DiagnosticView, NodeState, Progress, RunState } from "../api/types.gen.ts";
import { make, setText } from "../dom.ts";
import { stateName, tone } from "./format.ts";

export function makeBadge(): HTMLSpanElement {
  return make("span", { class: "badge" });
}

export function setBadge(badge: HTMLElement, state: RunState | NodeState): void {
  setText(badge, stateName(state));
  badge.dataset["tone"] = tone(state);
  badge.dataset["state"] = state;
}

/** `text` says the same in words. */
export function setBar(bar: HTMLProgressElement, progress: Progress, text: string): void {
  bar.max = Math.max(1, progress.total);
  bar.value = progress.done;
  bar.setAttribute("aria-valuetext", text);
}

/** A place for what the server refuses; read out as soon as something stands there. */
export function makeProblem(): HTMLElement {
  return make("div", { class: "muted problem", role: "alert" });
}

/** @throws whatever is no refusal, for that is the console's own mistake */
export function showProblem(place: HTMLElement, problem: unknown): void {
  if (!(problem instanceof Refusal)) throw problem;
  place.replaceChildren(make("p", {}, problem.message), makeDiagnostics(problem.diagnostics));
}

/** Severity, code and `file:line:column`, the message, and the help where there is one. */
export function makeDiagnostics(diagnostics: readonly DiagnosticView[]): HTMLUListElement {
  return make("ul", { class: "diagnostics" }, ...diagnostics.map(makeDiagnostic));
}

function makeDiagnostic(found: DiagnosticView): HTMLLIElement {
  const place = make("code", {}, `${found.file}:${found.line}:${found.column}`);
  const severity = make("span", { class: "badge" }, found.severity);
  severity.dataset["tone"] = found.severity === "error" ? "bad" : "busy";
  const head = make("p", {}, severity, " ", make("code", { class: "muted" }, found.code), " ", place);
  const item = make("li", { "data-code": found.code }, head, make("p", {}, found.message));
  if (found.help) item.append(make("p", { class: "muted" }, found.help));
  return item;
}
