/** Pieces that several parts of the console show: badges, progress bars, lists of diagnostics. */

import type { DiagnosticView, NodeState, Progress, RunState } from "../api/types.gen.ts";
import { make, setText } from "../dom.ts";
import { jobs, stateName, tone } from "./format.ts";

export function makeBadge(): HTMLSpanElement {
  return make("span", { class: "badge" });
}

export function setBadge(badge: HTMLElement, state: RunState | NodeState): void {
  setText(badge, stateName(state));
  badge.dataset["tone"] = tone(state);
  badge.dataset["state"] = state;
}

export function setBar(bar: HTMLProgressElement, progress: Progress): void {
  bar.max = Math.max(1, progress.total);
  bar.value = progress.done;
  bar.setAttribute("aria-valuetext", jobs(progress));
}

/** `file:line:column`, the message, and the help where there is one. */
export function makeDiagnostics(diagnostics: readonly DiagnosticView[]): HTMLUListElement {
  return make("ul", { class: "diagnostics" }, ...diagnostics.map(makeDiagnostic));
}

function makeDiagnostic(found: DiagnosticView): HTMLLIElement {
  const place = make("code", {}, `${found.file}:${found.line}:${found.column}`);
  const severity = make("span", { class: "badge" }, found.severity);
  severity.dataset["tone"] = found.severity === "error" ? "bad" : "busy";
  const item = make("li", { "data-code": found.code }, make("p", {}, severity, " ", place), make("p", {}, found.message));
  if (found.help) item.append(make("p", { class: "muted" }, found.help));
  return item;
}
