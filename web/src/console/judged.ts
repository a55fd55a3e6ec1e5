/**
 * What a run's page says of how the values of its jobs were believed: on what, for how many computations, and how many may be wrong.
 *
 * Owns the words and their place. Never adds up anything itself.
 */

import type { RunStats } from "../api/types.gen.ts";
import { make, setText } from "../dom.ts";
import { count, counted, percent } from "./format.ts";

type Judgement = Pick<RunStats, "answers" | "perJob" | "trusted" | "proved" | "agreed" | "lots" | "refuted" | "bound" | "assumedLiars">;

/** Hidden where nobody judges. */
export interface Judged {
  readonly element: HTMLElement;
  /** `doubted`: how many of these values are. */
  readonly update: (stats: Judgement, doubted: number) => void;
}

export function makeJudged(): Judged {
  const accepted = make("p");
  const cost = make("p");
  const bound = make("p");
  const element = make("div", { class: "muted judged", id: "run-judged" }, accepted, cost, bound);
  const update = (stats: Judgement, doubted: number): void => {
    element.hidden = stats.answers === undefined;
    setText(accepted, acceptedText(stats));
    setText(cost, costText(stats));
    setText(bound, boundText(stats, doubted));
    bound.hidden = bound.textContent === "";
  };
  element.hidden = true;
  return { element, update };
}

/** `120 values believed: 3 from trusted devices, 20 since devices agree, 97 with their lots.` */
export function acceptedText({ trusted = 0, proved = 0, agreed = 0, lots = 0 }: Judgement): string {
  const ways = [
    [trusted, "from trusted devices"],
    [proved, "proved by the workflow"],
    [agreed, "since devices agree"],
    [lots, "with their lots"],
  ] as const;
  const told = ways.filter(([number]) => number > 0).map(([number, how]) => `${count(number)} ${how}`);
  if (told.length === 0) return "No value is believed yet.";
  return `${counted(trusted + proved + agreed + lots, "value")} believed: ${told.join(", ")}.`;
}

/** `312 answers, 1.31 for each job; 2 of them were found wrong.` */
export function costText({ answers = 0, perJob, refuted = 0 }: Judgement): string {
  const each = perJob === undefined ? "" : `, ${perJob.toFixed(2)} for each job`;
  const wrong = refuted === 0 ? "" : `; ${count(refuted)} found wrong`;
  return `${counted(answers, "answer")}${each}${wrong}.`;
}

/** `At most 1 in 1,400 of these values is expected to be wrong if liars do at most 5 % of the work.`; empty where no policy says. */
export function boundText({ bound, assumedLiars }: Judgement, doubted = 0): string {
  if (bound === undefined || assumedLiars === undefined) return "";
  const condition = `if liars do at most ${percent(assumedLiars)} of the work`;
  if (bound <= 0)
    return doubted > 0
      ? ""
      : "None of these values is expected to be wrong: trusted devices computed all of them, or the workflow has proved them.";
  return `At most 1 in ${count(Math.floor(1 / bound))} of these values is expected to be wrong ${condition}.`;
}
