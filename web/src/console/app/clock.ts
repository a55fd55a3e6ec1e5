/** The present moment for what is shown as an age: it moves every ten seconds, and with it whatever reads it. */

import { signal } from "@preact/signals";

const EVERY_MS = 10_000;

/** In milliseconds since 1970. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => (now.value = Date.now()), EVERY_MS);
}
