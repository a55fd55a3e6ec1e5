/**
 * The count behind `weevil.flops(n)`: floating-point operations that the job running now says it has done.
 *
 * One job runs at a time, so one counter does. Never estimates.
 */

export class FlopCounter {
  private total = 0;

  /** Adds `count`; what is not a positive finite number adds nothing. */
  readonly add = (count: unknown): void => {
    if (typeof count === "number" && count > 0 && count < Infinity) this.total += count;
  };

  /** The count since the last call. */
  take(): number {
    const { total } = this;
    this.total = 0;
    return total;
  }
}
