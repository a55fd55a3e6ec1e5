/**
 * What a run's page says of how the values of its jobs were believed: on what, for how many computations, and how many may be wrong.
 *
 * Owns the words. Never adds up anything itself.
 */

import type { RunStats } from "../../api/types.gen.ts";
import { count, counted, percent } from "./format.ts";
import { decimal } from "./locale.ts";

export type Judgement = Pick<
  RunStats,
  "answers" | "perJob" | "trusted" | "proved" | "agreed" | "lots" | "refuted" | "bound" | "assumedLiars"
>;

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
  const each = perJob === undefined ? "" : `, ${decimal(perJob, 2, 2)} for each job`;
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
