/** How often the page paints. Pure. */

export const PAINT_MS = 1000;

/** Milliseconds to wait before painting; undefined while hidden. */
export function paintDelay(now: number, paintedAt: number, changed: boolean, hidden: boolean): number | undefined {
  if (hidden) return undefined;
  return changed ? 0 : Math.max(0, paintedAt + PAINT_MS - now);
}
