/** What is shown of several readings that follow each other, as a list does for each text that somebody writes. */

import { useRef } from "preact/hooks";

/** The one before stays until the new one is known, so that what somebody writes does not make the page blink. */
export function useLatest<T>(now: T, isKnown: boolean): T {
  const shown = useRef(now);
  if (isKnown) shown.current = now;
  return shown.current;
}
