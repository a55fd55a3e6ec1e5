/** How fast pools get on: what was done lately, from one look to the next. Pure: moments come in as arguments. */

import type { Progress } from "../../api/types.gen.ts";

/** Milliseconds that are looked back over. */
const LATELY = 10_000;

interface Look {
  readonly at: number;
  readonly done: ReadonlyMap<string, number>;
}

export class Rates {
  private looks: readonly Look[] = [];

  /** What is known at this moment. Answers jobs a second by the pools' ids, where there was an earlier look. */
  note(at: number, pools: ReadonlyMap<string, Progress>): ReadonlyMap<string, number> {
    const done = new Map([...pools].map(([id, jobs]) => [id, jobs.done + jobs.failed]));
    // The last one from before is kept, so that there is always something to compare with.
    const kept = this.looks.filter((look, index) => at - look.at <= LATELY || at - (this.looks[index + 1]?.at ?? at) < LATELY);
    this.looks = [...kept, { at, done }];
    const [first] = this.looks;
    if (first === undefined || first.at === at) return new Map();
    const seconds = (at - first.at) / 1000;
    return new Map([...done].map(([id, now]) => [id, (now - (first.done.get(id) ?? now)) / seconds]));
  }
}
