/** Pieces that several parts of the console show: badges, progress bars, figures, refusals, lists of diagnostics. */

import { Refusal } from "../api/request.ts";
import type { DiagnosticView, NodeState, Progress, RunState, RunSummary } from "../api/types.gen.ts";
import { make, setText } from "../dom.ts";
import { isOver, stateMeaning, stateName, tone } from "./format.ts";
import { policyMeaning } from "./jobtext.ts";

export type Figure<T> = readonly [name: string, text: (of: T) => string];

export function makeBadge(): HTMLSpanElement {
  return make("span", { class: "badge" });
}

export function setBadge(badge: HTMLElement, state: RunState | NodeState): void {
  setText(badge, stateName(state));
  badge.dataset["tone"] = tone(state);
  badge.dataset["state"] = state;
  const meaning = stateMeaning(state);
  if (meaning === "") badge.removeAttribute("title");
  else badge.title = meaning;
}

/** As its state, unless it is kept from going on. */
export function setRunBadge(badge: HTMLElement, { state, paused }: RunSummary): void {
  setBadge(badge, state);
  if (!paused || isOver(state)) return;
  setText(badge, "paused");
  badge.dataset["tone"] = "plain";
}

/** Numbers with their names below them. */
export function makeFigures<T>(figures: readonly Figure<T>[]): { element: HTMLElement; update: (of: T) => void } {
  const values = figures.map(([, text]) => ({ text, element: make("dd") }));
  const pairs = figures.map(([name], index) => make("div", {}, make("dt", {}, name), ...[values[index]?.element ?? []].flat()));
  const update = (of: T): void => {
    for (const { text, element } of values) setText(element, text(of));
  };
  return { element: make("dl", { class: "figures" }, ...pairs), update };
}

/** A title, and what belongs to it at the other end of its line. */
export function makeHead(title: string, ...aside: Node[]): HTMLElement {
  return make("div", { class: "card-head" }, make("h2", {}, title), ...aside);
}

/** A path that may break after each of its parts. */
export function breakable(path: string): (Node | string)[] {
  return path.split("/").flatMap((part, index) => (index === 0 ? [part] : ["/", make("wbr"), part]));
}

/** `Judged by quorum(2): a value is believed once ..`; hidden where nobody judges. Several are named alone. */
export function setPolicy(place: HTMLElement, words: string, policies: readonly string[]): void {
  place.hidden = policies.length === 0;
  const all = policies.join(" ");
  if (place.hidden || place.dataset["policy"] === all) return;
  place.dataset["policy"] = all;
  const codes = policies.flatMap((policy, at) => [at === 0 ? "" : ", ", make("code", {}, policy)]);
  const meaning = policies.length === 1 ? policyMeaning(all) : "";
  place.replaceChildren(`${words} `, ...codes, meaning === "" ? "" : `: ${meaning}`, ".");
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

/** What stands there already is not read out again. @throws whatever is no refusal, for that is the console's own mistake */
export function showProblem(place: HTMLElement, problem: unknown): void {
  if (!(problem instanceof Refusal)) throw problem;
  const told = make("div", {}, make("p", {}, problem.message), makeDiagnostics(problem.diagnostics));
  if (told.textContent !== place.textContent) place.replaceChildren(...told.childNodes);
}

/** Stands where a page would be that cannot be shown. */
export function makeRefusal(problem: unknown): HTMLElement {
  if (!(problem instanceof Refusal)) throw problem;
  return make("div", { class: "card notice", "data-tone": "bad" }, make("p", {}, problem.message));
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
