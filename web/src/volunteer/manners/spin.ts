/**
 * The small loop behind the spin probe, for the coordinator's Web Worker: the same work every time, and how long it
 * took. Owns its size; draws no conclusion.
 */

/**
 * About 20 ms on a machine of today: systems give a thread that has slept its first few milliseconds whatever else there
 * is to do, and job workers hold work for longer than this.
 */
const STEPS = 18_000_000;
const EVERY_MS = 4000;

/** From the coordinator's script to the page, beside `PageEvent`. */
export interface SpinReport {
  readonly kind: "spin";
  readonly ms: number;
}

/** From the page to the coordinator's script, beside `PageCommand`. */
export interface SpinCommand {
  readonly kind: "spin";
  readonly on: boolean;
}

export class Spinner {
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly tell: (report: SpinReport) => void;

  constructor(tell: (report: SpinReport) => void) {
    this.tell = tell;
  }

  set(on: boolean): void {
    clearInterval(this.timer);
    this.timer = on ? setInterval(() => this.tell({ kind: "spin", ms: spin() }), EVERY_MS) : undefined;
  }
}

function spin(): number {
  const start = performance.now();
  let state = 1;
  for (let step = 0; step < STEPS; step++) state = (Math.imul(state, 1664525) + 1013904223) | 0;
  const ms = performance.now() - start;
  // Used, so that no engine leaves the loop out.
  return state === 0.5 ? 0 : ms;
}
