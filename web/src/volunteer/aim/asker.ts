/**
 * Asks the server what the work is for and how far it is: at once for a new workflow, then every ten seconds, never for a
 * hidden tab, more and more seldom while it fails. For a run that has only begun the first answer knows next to nothing: a
 * second one follows soon.
 *
 * A picture for people and nothing else: whatever goes wrong here is kept here.
 */

import type { AimView } from "../../api/types.gen.ts";
import type { PageState } from "../describe.ts";

export const EVERY_MS = 10_000;
export const SOON_MS = 2500;
export const SELDOM_MS = 300_000;
/** Workflows that are remembered: the jobs of some runs may come in turns. */
const MOST = 8;

/** Answers nothing where nobody runs the workflow; throws where that is not known. */
export type Ask = (workflow: string) => Promise<AimView | undefined>;

/** What the page knows of its work. */
export interface Now {
  readonly state: PageState;
  /** Content hash. */
  readonly workflow: string | null;
  readonly hidden: boolean;
}

interface Known {
  aim: AimView | undefined;
  nextAt: number;
  failures: number;
  answered: boolean;
}

export class Asker {
  private readonly known = new Map<string, Known>();
  private readonly ask: Ask;
  private readonly clock: () => number;

  constructor(ask: Ask, clock = (): number => performance.now()) {
    this.ask = ask;
    this.clock = clock;
  }

  /** What is known of the work now. Asks, where it is time to; the answer comes with a later call. */
  mind({ state, workflow, hidden }: Now): AimView | undefined {
    const goesOn = state === "working" || state === "waiting" || state === "finishing";
    if (!goesOn || workflow === null) return undefined;
    const known = this.entry(workflow);
    // Without work a run that is over is let go, and not asked for again.
    const wanted = state !== "waiting" || known.aim !== undefined;
    if (wanted && !hidden && this.clock() >= known.nextAt) void this.renew(workflow, known);
    return known.aim;
  }

  private entry(workflow: string): Known {
    const known = this.known.get(workflow) ?? { aim: undefined, nextAt: -Infinity, failures: 0, answered: false };
    this.known.set(workflow, known);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MOST) break;
      this.known.delete(oldest);
    }
    return known;
  }

  private async renew(workflow: string, known: Known): Promise<void> {
    known.nextAt = this.clock() + EVERY_MS;
    try {
      known.aim = await this.ask(workflow);
      known.failures = 0;
      if (!known.answered && known.aim?.done === 0) known.nextAt = this.clock() + SOON_MS;
      known.answered = true;
    } catch {
      known.failures += 1;
      known.nextAt = this.clock() + Math.min(SELDOM_MS, EVERY_MS * 2 ** known.failures);
    }
  }
}
