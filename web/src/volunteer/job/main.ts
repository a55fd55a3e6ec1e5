/**
 * Entry of the job runtime, inside a `data:` worker in the sandboxed frame.
 *
 * Takes the port that the frame sends first, and keeps it and everything else that reaches outside in its closure before
 * strangers' code can run. Speaks `SlotCommand` and `SlotReport` on that port and nothing else.
 */

import type { SlotCommand } from "../../api/types.gen.ts";
import { JobClock } from "./clock.ts";
import { FlopCounter } from "./flops.ts";
import { Loop } from "./loop.ts";
import { prepareRealm } from "./prelude.ts";
import { getterOf, list } from "./primordials.ts";
import { ProgressMeter } from "./progress.ts";
import { seeded } from "./random.ts";

/** Not `event.data`: a replaced getter would be handed the event, and with it the port. */
const dataOf = getterOf<MessageEvent, unknown>(MessageEvent.prototype, "data");
const now = performance.now.bind(performance);
const later = setTimeout.bind(globalThis);
const Pledge = Promise;
const sleep = (ms: number): Promise<void> => new Pledge((resolve) => later(resolve, ms));
const nothing = list<Transferable>();

function serve(port: MessagePort): void {
  const post = port.postMessage.bind(port) as (message: unknown, transfer: Transferable[]) => void;
  const random = seeded();
  const flops = new FlopCounter();
  const progress = new ProgressMeter(now, (seq, done) => {
    post({ kind: "progress", seq, done }, nothing);
  });
  const freeze = new JobClock(globalThis).freeze;
  const loop = new Loop({ post, now, sleep, freeze }, random, flops, progress);
  port.onmessage = (event) => {
    loop.command(dataOf(event) as SlotCommand);
  };
  prepareRealm(globalThis, { random: random.next, flops: flops.add, progress: progress.tell, log: loop.log });
  post({ kind: "ready" }, nothing);
}

addEventListener(
  "message",
  (event: MessageEvent) => {
    const port = event.ports[0];
    if (port !== undefined) serve(port);
  },
  { once: true },
);
