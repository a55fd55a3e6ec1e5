/**
 * When the page pauses by itself, and why: facts and the time in, a reason out. Pure.
 *
 * Each reason has its own patience both ways, so that nothing flickers. The volunteer's own Pause is none of these: it
 * wins over all, in `session.ts`.
 */

export type Reason = "battery" | "saveData" | "hidden" | "pressure";

/** What holds at this moment. */
export type Facts = Readonly<Record<Reason, boolean>>;

export const CALM: Facts = { battery: false, saveData: false, hidden: false, pressure: false };

/** The first one that holds is told. */
export const REASONS: readonly Reason[] = ["battery", "saveData", "hidden", "pressure"];

interface Patience {
  /** Milliseconds that a fact must hold until it pauses. */
  readonly pause: number;
  /** Milliseconds that it must be gone until work goes on. */
  readonly resume: number;
}

const PATIENCE: Readonly<Record<Reason, Patience>> = {
  battery: { pause: 1_000, resume: 5_000 },
  saveData: { pause: 0, resume: 5_000 },
  hidden: { pause: 3_000, resume: 1_000 },
  pressure: { pause: 6_000, resume: 20_000 },
};

interface Held {
  readonly holds: boolean;
  /** Since when the fact has said the opposite. */
  readonly since: number | undefined;
}

export type Manners = Readonly<Record<Reason, Held>>;

const QUIET: Held = { holds: false, since: undefined };
export const AT_EASE: Manners = { battery: QUIET, saveData: QUIET, hidden: QUIET, pressure: QUIET };

/** The next state. `now` in milliseconds of any clock that only grows. */
export function step(manners: Manners, facts: Facts, now: number): Manners {
  const next = (reason: Reason): Held => hold(manners[reason], facts[reason], PATIENCE[reason], now);
  return { battery: next("battery"), saveData: next("saveData"), hidden: next("hidden"), pressure: next("pressure") };
}

function hold(held: Held, fact: boolean, patience: Patience, now: number): Held {
  if (fact === held.holds) return { holds: held.holds, since: undefined };
  const since = held.since ?? now;
  const long = now - since >= (fact ? patience.pause : patience.resume);
  return long ? { holds: fact, since: undefined } : { holds: held.holds, since };
}

/** Why to pause now, if at all. */
export function reasonOf(manners: Manners): Reason | undefined {
  return REASONS.find((reason) => manners[reason].holds);
}
