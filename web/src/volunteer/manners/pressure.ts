/**
 * Do others need the processor? Reads the browser's own word for it, or the times of a small loop that is always the
 * same. Pure.
 */

/** A `PressureState` of the browser: roughly a third, two thirds, nine tenths of the processor used, by anybody. */
export type BrowserPressure = "nominal" | "fair" | "serious" | "critical";

/** What others must use at least, where the state allows for more than what we use ourselves. */
const USED: Readonly<Record<BrowserPressure, number>> = { nominal: 0, fair: 0, serious: 0.6, critical: 0.9 };
const OTHERS = 0.3;

/**
 * `own` is the share of the processor that this page uses itself, 0 to 1. Undefined where our own work alone could
 * explain the state.
 */
export function pressedBy(state: BrowserPressure, own: number): boolean | undefined {
  const used = USED[state];
  if (used === 0) return false;
  return used - own >= OTHERS ? true : undefined;
}

/** So many times longer than our own work explains. */
const PRESSED = 1.7;
const CALM = 1.3;
const WINDOW = 3;

/** How many times longer the loop takes beside our own work: it is one thread more. `own` as above. */
export function expected(own: number, cores: number): number {
  return Math.max(1, own + 1 / cores);
}

/** What the times of the loop say. The fastest ever is the calibration. */
export class SpinProbe {
  private best = Infinity;
  /** Milliseconds, less what our own work explains. */
  private recent: number[] = [];
  private pressed = false;

  /** Takes the next time in milliseconds and how many `times` longer it may be, answers whether others need the processor. */
  add(ms: number, times: number): boolean {
    this.best = Math.min(this.best, ms);
    this.recent = [...this.recent.slice(1 - WINDOW), ms / times];
    if (this.recent.length < WINDOW) return false;
    const median = [...this.recent].sort((a, b) => a - b)[WINDOW >> 1] ?? 0;
    this.pressed = median > this.best * (this.pressed ? CALM : PRESSED);
    return this.pressed;
  }
}
