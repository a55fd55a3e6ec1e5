/**
 * The duty of one slot: how long to rest for what has been computed, so that the share of time that the volunteer chose
 * is kept over jobs of any length.
 *
 * After `t` milliseconds of work at duty `d` it owes `t * (1 - d) / d`. Owns the debt and no clock. Never rests itself.
 */

/** Smaller debts are gathered: a timer is not much finer than this, and no-ops must not sleep each. */
const LEAST_REST_MS = 20;
/** Timers ring late, and jobs come late: what was rested too much counts for the next rest, up to this. */
const MOST_CREDIT_MS = 50;

export class Pacer {
  /** Rest for a millisecond of work. */
  private rate = 0;
  private owed = 0;

  /** A rest that is owed already becomes shorter with a higher duty, and never longer with a lower one. */
  setDuty(percent: number): void {
    const rate = (100 - percent) / percent;
    if (rate < this.rate) this.owed = (this.owed * rate) / this.rate;
    this.rate = rate;
  }

  worked(ms: number): void {
    this.owed += ms * this.rate;
  }

  /** Any time without work pays, also where there was nothing to do. */
  rested(ms: number): void {
    const paid = this.owed - ms;
    this.owed = paid > -MOST_CREDIT_MS ? paid : -MOST_CREDIT_MS;
  }

  /** Milliseconds to rest before the next job; 0 while the debt is small. */
  due(): number {
    return this.owed < LEAST_REST_MS ? 0 : this.owed;
  }
}
