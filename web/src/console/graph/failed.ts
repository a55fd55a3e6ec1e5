/** Which failed node comes next, whether it is drawn or not. Pure. */

import { STATES } from "../../api/nodestates.ts";

const FAILED = STATES.indexOf("FAILED");

/**
 * The place of the next failed node in document order, behind `from` and from the beginning on. `states`: an octet for each node, where
 * they are known. `drawn`: places of drawn nodes that count as failed beyond that, as pools do with failed jobs.
 */
export function nextFailed(states: Uint8Array | undefined, drawn: readonly number[], from: number | undefined): number | undefined {
  const shown = new Set(drawn);
  const all = Math.max(states?.length ?? 0, ...drawn.map((place) => place + 1));
  for (let step = 1; step <= all; step += 1) {
    const place = ((from ?? -1) + step) % all;
    if (states?.[place] === FAILED || shown.has(place)) return place;
  }
  return undefined;
}
