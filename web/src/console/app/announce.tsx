/** The one live region of the frame: what matters, at most every five seconds, the newest alone. */

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

const EVERY_MS = 5000;

const spoken = signal("");
let last = -Infinity;
let next: string | undefined;

export function announce(text: string): void {
  const wait = last + EVERY_MS - performance.now();
  if (wait <= 0) {
    say(text);
    return;
  }
  if (next === undefined) setTimeout(() => say(next ?? ""), wait);
  next = text;
}

/** Announces `text` whenever somebody has changed `of`, as soon as it is not empty. */
export function useAnnounced(text: string, of: string): void {
  const before = useRef(of);
  const isKnown = text !== "";
  useEffect(() => {
    if (!isKnown || before.current === of) return;
    announce(text);
    before.current = of;
  }, [of, isKnown]);
}

function say(text: string): void {
  [last, next] = [performance.now(), undefined];
  spoken.value = text;
}

export function Announcements() {
  return (
    <p class="unseen" id="announced" role="status">
      {spoken.value}
    </p>
  );
}
