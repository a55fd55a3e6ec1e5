/**
 * The way from this tab to the stream: the SharedWorker's, or where there is none a stream of its own. A browser has six connections to
 * a server, so of such tabs four have a stream, and others look every few seconds.
 *
 * Never touches the DOM.
 */

import type { FromTab, ToTab } from "./messages.ts";
import { Switchboard } from "./switchboard.ts";

/** Tabs with a stream of their own. */
const STREAMS = 4;
const LOOK_EVERY_MS = 5000;
const NAME = "weevil-stream";

export interface Link {
  readonly say: (message: FromTab) => void;
}

export function openLink(hear: (message: ToTab) => void): Link {
  return typeof SharedWorker === "undefined" ? own(hear) : shared(hear);
}

function shared(hear: (message: ToTab) => void): Link {
  const { port } = new SharedWorker(new URL("./shared.ts", import.meta.url), { type: "module", name: NAME });
  port.addEventListener("message", ({ data }: MessageEvent<ToTab>) => hear(data));
  port.start();
  return { say: (message) => port.postMessage(message) };
}

function own(hear: (message: ToTab) => void): Link {
  const board = place().then((hasStream) => new Switchboard(hasStream ? undefined : LOOK_EVERY_MS));
  const tab = { tell: hear };
  return { say: (message) => void board.then((opened) => opened.hear(tab, message)) };
}

/** Whether there is a place for a stream. It is kept until the tab goes. */
async function place(): Promise<boolean> {
  // On a page without a secure context nobody can be counted.
  const { locks } = navigator as Partial<Navigator>;
  if (locks === undefined) return true;
  for (let at = 0; at < STREAMS; at += 1) {
    if (await taken(locks, `${NAME}-${at}`)) return true;
  }
  return false;
}

function taken(locks: LockManager, name: string): Promise<boolean> {
  return new Promise((resolve) => {
    void locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise<never>(() => undefined);
    });
  });
}
