/** The manners of one page: what the sources tell, put through the rules. Holds their state; decides nothing itself. */

import { SpinProbe, expected } from "./pressure.ts";
import { AT_EASE, type Manners as Held, type Reason, reasonOf, step } from "./reasons.ts";
import { Sources } from "./sources.ts";

/** How often to look while nothing else does: patience ends without an event. */
const LOOK_MS = 1000;

export class Manners {
  private readonly sources: Sources;
  private readonly probe = new SpinProbe();
  private held: Held = AT_EASE;

  /** `look` is called whenever a reason may come or go. */
  constructor(look: () => void) {
    this.sources = new Sources(look);
    setInterval(look, LOOK_MS);
  }

  /** `own` is the share of the processor that this page uses itself, 0 to 1. */
  reason(now: number, own: number, pauseHidden: boolean): Reason | undefined {
    const facts = this.sources.facts(own);
    this.held = step(this.held, { ...facts, hidden: facts.hidden && pauseHidden }, now);
    return reasonOf(this.held);
  }

  /** Takes the time of the coordinator's loop; `own` as above. */
  spun(ms: number, own: number, cores: number): void {
    this.sources.probed(this.probe.add(ms, expected(own, cores)));
  }
}
