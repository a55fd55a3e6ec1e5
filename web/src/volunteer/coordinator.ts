/**
 * Entry of the coordinator's Web Worker: loads the WebAssembly module and passes messages both ways. Runs the
 * spin probe, which needs a thread that browsers do not slow down.
 *
 * Keeps what comes before the module has loaded. Holds no state of the work: that is the module's.
 */

import type { PageCommand, PageEvent } from "../api/types.gen.ts";
import init, { Coordinator } from "../wasm/weevil_worker.js";
import { sign } from "./device.ts";
import { type SpinCommand, type SpinReport, Spinner } from "./manners/spin.ts";

type Early = readonly [command: PageCommand, port: MessagePort | undefined];

/** Fetched when the first GPU job arrives. */
const GPU_RUNTIME = new URL("../wasm/weevil_gpu.wasm", import.meta.url).href;
const early: Early[] = [];
let obey = (command: PageCommand, port: MessagePort | undefined): void => {
  early.push([command, port]);
};

function tell(event: PageEvent | SpinReport): void {
  postMessage(event);
}

const spinner = new Spinner(tell);

addEventListener("message", (event: MessageEvent<PageCommand | SpinCommand>) => {
  if (event.data.kind === "spin") spinner.set(event.data.on);
  else obey(event.data, event.ports[0]);
});

try {
  await init();
  const coordinator = new Coordinator(
    (event: unknown) => {
      tell(event as PageEvent);
    },
    sign,
    GPU_RUNTIME,
  );
  obey = (command, port) => {
    coordinator.command(command, port);
  };
  tell({ kind: "loaded" });
  for (const [command, port] of early) obey(command, port);
} catch (problem) {
  tell({ kind: "notLoaded", message: String(problem) });
}
