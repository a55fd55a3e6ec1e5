/**
 * Entry of the job runtime, inside a `data:` worker in the sandboxed frame.
 *
 * Takes the port that the frame sends first, and keeps it and everything else that reaches outside in its closure before
 * strangers' code can run. Speaks `SlotCommand` and `SlotReport` on that port and nothing else.
 */

import type { SlotCommand } from "../../api/types.gen.ts";
import { FlopCounter } from "./flops.ts";
import { type Host, Loop } from "./loop.ts";
import { Pledge, bare, defineProperty, getterOf, list } from "./primordials.ts";
import { ProgressMeter } from "./progress.ts";
import { seeded } from "./random.ts";
import { FrozenRealm, seededCrypto } from "./realm/frozen.ts";
import { Memories } from "./realm/memories.ts";
import { prepareRealm } from "./realm/realm.ts";
import { Stillness } from "./realm/still.ts";
import { JobClock } from "./realm/time.ts";

/** Not `event.data`: a replaced getter would be handed the event, and with it the port. */
const dataOf = getterOf<MessageEvent, unknown>(MessageEvent.prototype, "data");
const now = performance.now.bind(performance);
const later = setTimeout.bind(globalThis);
const sleep = (ms: number): Promise<void> => new Pledge((resolve) => later(resolve, ms));
const nothing = list<Transferable>();

/** Messages to ourselves: each comes after everything that waits already. */
function turner(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const post = port2.postMessage.bind(port2) as (message: unknown) => void;
  let heard = (): void => undefined;
  port1.onmessage = () => {
    heard();
  };
  return () =>
    new Pledge((resolve) => {
      heard = resolve;
      post(null);
    });
}

function serve(port: MessagePort, isFrozen: boolean): void {
  const post = port.postMessage.bind(port) as (message: unknown, transfer: Transferable[]) => void;
  const random = seeded();
  const flops = new FlopCounter();
  const progress = new ProgressMeter(now, (seq, done) => {
    post(bare({ kind: "progress", seq, done }), nothing);
  });
  const clock = new JobClock(globalThis);
  const memories = new Memories();
  const still = new Stillness({ now, sleep, turn: turner(), enough: () => memories.enough });
  const frozen = new FrozenRealm(globalThis);
  if (isFrozen) clock.stand();
  const host: Host = { post, now, sleep, still, ...(isFrozen && { frozen }) };
  const loop = new Loop(host, random, flops, progress);
  port.onmessage = (event) => {
    loop.command(dataOf(event) as SlotCommand);
  };
  if (isFrozen) defineProperty(globalThis, "crypto", { value: seededCrypto(globalThis, random.next), writable: true, configurable: true });
  prepareRealm(globalThis, { clock, still, memories }, { random: random.next, flops: flops.add, progress: progress.tell, log: loop.log });
  if (isFrozen) frozen.freeze();
  post(bare({ kind: "ready" }), nothing);
}

addEventListener(
  "message",
  (event: MessageEvent) => {
    const port = event.ports[0];
    const { frozen } = (event.data ?? {}) as { frozen?: boolean };
    if (port !== undefined) serve(port, frozen === true);
  },
  { once: true },
);
