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
import { Shown, type TrustCommand } from "./trust.ts";

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
const shown = new Shown();

addEventListener("message", (event: MessageEvent<PageCommand | SpinCommand | TrustCommand>) => {
  if (event.data.kind === "spin") spinner.set(event.data.on);
  else if (event.data.kind === "trust") shown.set(event.data.token);
  else obey(event.data, event.ports[0]);
});

try {
  await init();
  const coordinator = new Coordinator(
    (event: unknown) => {
      tell(event as PageEvent);
    },
    async (text: Uint8Array<ArrayBuffer>) => shown.with(await sign(text)),
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
