/**
 * Entry of the coordinator's Web Worker: loads the WebAssembly module and passes messages both ways.
 *
 * Keeps what comes before the module has loaded. Holds no state of the work: that is the module's.
 */

import type { PageCommand, PageEvent } from "../api/types.gen.ts";
import init, { Coordinator } from "../wasm/weevil_worker.js";
import { IDLE } from "./idle.ts";

type Early = readonly [command: PageCommand, port: MessagePort | undefined];

const early: Early[] = [];
let obey = (command: PageCommand, port: MessagePort | undefined): void => {
  early.push([command, port]);
};

function tell(event: PageEvent): void {
  postMessage(event);
}

addEventListener("message", (event: MessageEvent<PageCommand>) => {
  obey(event.data, event.ports[0]);
});

try {
  await init();
  const coordinator = new Coordinator((event: unknown) => {
    tell(event as PageEvent);
  });
  obey = (command, port) => {
    coordinator.command(command, port);
  };
  tell({ kind: "loaded" });
  for (const [command, port] of early) obey(command, port);
} catch (problem) {
  const message = `The computing part of this page did not load (${String(problem)}). Reload the page to try again.`;
  tell({ kind: "status", ...IDLE, state: "refused", message });
}
