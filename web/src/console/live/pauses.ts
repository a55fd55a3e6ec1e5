/** How long to wait before the next try. Pure. */

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** `tries` have failed in a row. */
export function pauseAfter(tries: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, tries - 1));
}
