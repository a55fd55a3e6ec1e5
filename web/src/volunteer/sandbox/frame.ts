/**
 * The trusted script of the sandboxed frame: starts one `data:` worker per slot, hands it its port, ends it.
 *
 * Listens to the page that embeds it and to nobody else. Never runs strangers' code on this thread: code here could
 * navigate the frame.
 */

import runtimeUrl from "virtual:weevil-job-runtime";
import type { FrameCommand, FrameReport } from "./messages.ts";

interface Slot {
  readonly generation: number;
  readonly worker: Worker;
}

/** Characters kept of what a job worker ended with: it is a stranger's text. */
const MAX_CRASH_CHARS = 4000;
const slots = new Map<number, Slot>();

function tell(report: FrameReport): void {
  parent.postMessage(report, location.origin);
}

function open({ slot, generation, frozen }: Extract<FrameCommand, { kind: "open" }>, port: MessagePort): void {
  slots.get(slot)?.worker.terminate();
  const worker = new Worker(runtimeUrl, { name: `slot ${slot}` });
  worker.onerror = (event) => {
    event.preventDefault();
    if (!close(slot, generation)) return;
    const message = (event.message || "the job worker could not start").slice(0, MAX_CRASH_CHARS);
    tell({ kind: "crashed", slot, generation, message });
  };
  slots.set(slot, { generation, worker });
  worker.postMessage({ frozen }, [port]);
}

/** False when that worker has gone already. */
function close(slot: number, generation: number): boolean {
  const found = slots.get(slot);
  if (found?.generation !== generation) return false;
  found.worker.terminate();
  slots.delete(slot);
  return true;
}

addEventListener("message", (event: MessageEvent<FrameCommand>) => {
  if (event.source !== parent || event.origin !== location.origin) return;
  const command = event.data;
  if (command.kind === "ask") {
    tell({ kind: "alive" });
    return;
  }
  if (command.kind === "close") {
    close(command.slot, command.generation);
    return;
  }
  const port = event.ports[0];
  if (port !== undefined) open(command, port);
});

tell({ kind: "ready" });
