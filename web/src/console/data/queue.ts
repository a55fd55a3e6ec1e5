/** The whole queue, asked again and again while somebody can see it; the server counts once a second however many ask. */

import { signal } from "@preact/signals";
import { getQueue } from "../../api/client.ts";
import type { QueueView } from "../../api/types.gen.ts";
import { whileVisible } from "../live/visible.ts";

const EVERY_MS = 3000;

export const queue = signal<QueueView | undefined>(undefined);
export const queueProblem = signal<unknown>(undefined);
/** When it was asked, in milliseconds since 1970. */
export const queueSince = signal(0);

let told = 0;

/** An answer to something that was done. */
export function showQueue(view: QueueView): void {
  told += 1;
  [queue.value, queueProblem.value, queueSince.value] = [view, undefined, Date.now()];
}

/** Keeps it up to date until the returned function is called. */
export function watchQueue(): () => void {
  return whileVisible(EVERY_MS, look).stop;
}

/** An answer that was on its way while something was done says how it was before. */
export async function look(): Promise<void> {
  const before = told;
  try {
    const view = await getQueue();
    if (before === told) showQueue(view);
  } catch (refused) {
    queueProblem.value = refused;
  }
}
