/** The present moment for what is shown as an age: it moves every ten seconds, unless the screen is held still, and with it whatever reads it. */

import { signal } from "@preact/signals";
import { heldBack } from "../live/news.ts";

const EVERY_MS = 10_000;

/** In milliseconds since 1970. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => {
    if (heldBack.value === undefined) now.value = Date.now();
  }, EVERY_MS);
}
