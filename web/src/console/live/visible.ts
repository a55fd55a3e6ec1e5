/** Doing something again and again while people can see the page and let news come, and never while they do not. */

import { heldBack } from "./news.ts";

export interface Watch {
  /** Does it now, unless it is being done. */
  readonly now: () => void;
  readonly stop: () => void;
}

/** Does it at once, and again that many milliseconds after it has ended. */
export function whileVisible(pause: number, look: () => Promise<void>): Watch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  let stopped = false;

  async function turn(): Promise<void> {
    clearTimeout(timer);
    if (stopped || busy || document.hidden) return;
    busy = true;
    try {
      await look();
    } finally {
      busy = false;
      if (!stopped) timer = setTimeout(again, pause);
    }
  }
  function now(): void {
    void turn();
  }
  function again(): void {
    if (heldBack.value === undefined) now();
    else timer = setTimeout(again, pause);
  }
  function seen(): void {
    clearTimeout(timer);
    again();
  }
  function stop(): void {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", seen);
  }

  document.addEventListener("visibilitychange", seen);
  now();
  return { now, stop };
}
