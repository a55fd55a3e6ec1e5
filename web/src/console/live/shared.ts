/**
 * Entry of the SharedWorker that holds the one stream of a browser, for all tabs of the console.
 *
 * Owns the ports. Has no storage: its tabs tell it of the session.
 */

import type { FromTab, ToTab } from "./messages.ts";
import { Switchboard } from "./switchboard.ts";

declare const self: SharedWorkerGlobalScope;

const board = new Switchboard();

self.addEventListener("connect", ({ ports: [port] }) => {
  if (port === undefined) return;
  const tab = { tell: (message: ToTab) => port.postMessage(message) };
  port.addEventListener("message", ({ data }: MessageEvent<FromTab>) => {
    board.hear(tab, data);
    if (data.kind === "gone") port.close();
  });
  port.start();
});
