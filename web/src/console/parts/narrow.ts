/** Whether the screen is a phone's, where pages show one thing at a time. */

import { signal } from "@preact/signals";

/** As styles have it. */
const PHONE = matchMedia("(max-width: 43.74rem)");

export const isNarrow = signal(PHONE.matches);

PHONE.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches;
});
