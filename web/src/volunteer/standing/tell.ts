/** How this browser's answers stand, in words and figures: pure, and never a word about which of them was checked. */

import type { Standing } from "../../api/types.gen.ts";
import type { Words } from "../words/words.ts";

export interface StandingText {
  readonly given: string;
  readonly confirmed: string;
  readonly unchecked: string;
  readonly differed: string;
  /** What its rank means. */
  readonly rank: string;
  /** While it rests: why, until when, and that there is nothing to do. */
  readonly rest: string;
}

/** Undefined where nothing is known of its answers. `now` in milliseconds since the epoch. */
export function tellStanding(standing: Standing | null, now: number, words: Words): StandingText | undefined {
  if (standing === null) return undefined;
  const { rank, restsUntil } = standing;
  const rests = restsUntil !== null && restsUntil > now;
  return {
    given: words.count(standing.given),
    confirmed: words.count(standing.confirmed),
    unchecked: words.count(standing.waiting),
    differed: words.count(standing.refused),
    rank: words.say(rank),
    rest: rests ? words.say("rests", { until: words.moment(restsUntil) }) : "",
  };
}
