/**
 * What is behind `weevil.progress(done)`: how much of the job running now is done, told to the coordinator now and then.
 *
 * Cheap where it is called in a loop: what has hardly changed costs a comparison, and only some messages leave a slot.
 * A job that does not pause keeps its worker's timers from running, so what is held back is dropped, not kept for later.
 */

/** Less of a step than this is not told. */
const STEP = 0.001;
/** A message has so many milliseconds to itself, */
const EVERY_MS = 200;
/** except that a slot which was silent for so long may say as much at once. */
const BURST_MS = 2000;

export class ProgressMeter {
  private readonly now: () => number;
  private readonly post: (seq: number, done: number) => void;
  private seq: number | undefined;
  private told = NaN;
  /** When everything told so far has had its time. */
  private paid = -Infinity;

  /** `now` in milliseconds. */
  constructor(now: () => number, post: (seq: number, done: number) => void) {
    this.now = now;
    this.post = post;
  }

  /** From here on it is this job that tells. */
  begin(seq: number): void {
    this.seq = seq;
    this.told = NaN;
  }

  /** What is told from here on is nobody's. */
  end(): void {
    this.seq = undefined;
  }

  /** Takes a number, put between 0 and 1; what is not a number changes nothing. */
  readonly tell = (done: unknown): void => {
    const { seq } = this;
    if (seq === undefined || typeof done !== "number" || done !== done) return;
    const share = done < 0 ? 0 : done > 1 ? 1 : done;
    const step = share - this.told;
    if (step < STEP && step > -STEP) return;
    const now = this.now();
    if (now < this.paid - BURST_MS) return;
    this.paid = (now > this.paid ? now : this.paid) + EVERY_MS;
    this.told = share;
    this.post(seq, share);
  };
}
