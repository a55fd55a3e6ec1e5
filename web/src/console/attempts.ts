/** The attempts of a job: which worker, how long, how far, how it ended, what it answered, the error with its stack, and the log. */

import type { AnswerView, AttemptView } from "../api/types.gen.ts";
import { make } from "../dom.ts";
import { clock, duration, percent } from "./format.ts";
import { engineName } from "./engine.ts";
import { answered, endTone, ending, fateName, fateTone, proofText, standing } from "./jobtext.ts";

export interface AttemptCards {
  readonly element: HTMLElement;
  readonly update: (attempts: readonly AttemptView[]) => void;
}

/** An attempt is drawn again only where it has changed, so that a stack can be read and copied in peace. */
export function makeAttempts(): AttemptCards {
  const drawn = new Map<number, { text: string; article: HTMLElement }>();
  const place = make("div");
  const element = make("section", { class: "card", id: "attempts" }, make("h2", {}, "Attempts"), place);
  const update = (attempts: readonly AttemptView[]): void => {
    element.hidden = attempts.length === 0;
    for (const attempt of attempts) {
      const text = JSON.stringify(attempt);
      const before = drawn.get(attempt.number);
      if (before?.text === text) continue;
      const article = makeAttempt(attempt, Date.now());
      if (before === undefined) place.append(article);
      else before.article.replaceWith(article);
      drawn.set(attempt.number, { text, article });
    }
  };
  return { element, update };
}

function makeAttempt(attempt: AttemptView, now: number): HTMLElement {
  const badge = make("span", { class: "badge", "data-tone": endTone(attempt.end) }, ending(attempt));
  const title = make("h3", {}, `Attempt ${attempt.number}`);
  const head = make("div", { class: "card-head" }, title, badge);
  const text = make("p", { class: "muted" }, story(attempt, now));
  const article = make("article", { class: "attempt", "data-attempt": String(attempt.number) }, head, text);
  if (attempt.progress !== null && attempt.end === null) article.append(makeBar(attempt.number, attempt.progress));
  if (attempt.answer) article.append(makeAnswer(attempt.answer, attempt.kind));
  if (attempt.message) article.append(make("p", {}, make("strong", {}, attempt.message)));
  if (attempt.stack) article.append(make("pre", { tabindex: "0" }, attempt.stack));
  if (attempt.log) article.append(makeLog(attempt.log));
  return article;
}

/** `Answered by device 3f2a91c0 (Firefox): value 1a2b3c4d5e6f`, and what became of it. */
function makeAnswer(answer: AnswerView, kind: string | null): HTMLElement {
  const { device, engine, digest } = answer;
  const nobody = engine === "server" ? "this server, which checked it" : `a worker without a device key (${engineName(engine)})`;
  const whose = device === null ? [nobody] : ["device ", make("code", {}, device), ` (${engineName(engine)})`];
  const what = [digest === null ? "error " : "value ", make("code", {}, answered(digest, kind))];
  const fate = make("span", { class: "badge", "data-tone": fateTone(answer) }, fateName(answer));
  const said = make("span", {}, "Answered by ", ...whose, ": ", ...what);
  const stands = make("span", { class: "muted stands" }, standing(answer), proofText(answer));
  return make("p", { class: "answer" }, said, fate, stands);
}

/** What the job's code has logged: a stranger's text, shown as nothing but text. */
function makeLog(log: string): HTMLElement {
  return make("details", { class: "log" }, make("summary", {}, "Log"), make("pre", { tabindex: "0" }, log));
}

function makeBar(number: number, done: number): HTMLElement {
  const words = { "aria-label": `Progress of attempt ${number}`, "aria-valuetext": percent(done) };
  return make("progress", { max: "1", value: String(done), ...words });
}

/** `Worker w, from 19:40:12, 1.2 s, of it 840 ms inside the code, 45 % done`. */
function story({ worker, startedAt, endedAt, computeUs, progress }: AttemptView, now: number): string {
  const parts = [worker === "server" ? "This server" : `Worker ${worker}`, `from ${clock(startedAt, now, true)}`];
  if (endedAt !== null) parts.push(duration(endedAt - startedAt));
  if (computeUs >= 1000) parts.push(`of it ${duration(computeUs / 1000)} inside the code`);
  if (progress !== null) parts.push(`${percent(progress)} done`);
  return parts.join(", ");
}
