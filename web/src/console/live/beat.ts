/** The beat on which all that changes by itself is painted: what falls on one picture costs half of what two would. */

export const BEAT_MS = 500;

/** Milliseconds to the next one. */
export function untilBeat(): number {
  return BEAT_MS - (performance.now() % BEAT_MS);
}
