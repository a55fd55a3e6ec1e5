/** What waits in the queue by needs and by name, asked again and again while somebody can see it; the server counts at most once in five seconds. */

import { signal } from "@preact/signals";
import { waitingClasses, waitingQueues } from "../../api/explain.ts";
import type { WaitingClasses, WaitingQueues } from "../../api/types.gen.ts";
import { whileVisible } from "../live/visible.ts";

const EVERY_MS = 5000;

export const classes = signal<WaitingClasses | undefined>(undefined);
export const queues = signal<WaitingQueues | undefined>(undefined);
export const waitingProblem = signal<unknown>(undefined);
/** When both were asked, in milliseconds since 1970. */
export const waitingSince = signal(0);

/** Keeps both up to date until the returned function is called. */
export function watchWaiting(): () => void {
  return whileVisible(EVERY_MS, lookAtWaiting).stop;
}

export async function lookAtWaiting(): Promise<void> {
  try {
    [classes.value, queues.value] = await Promise.all([waitingClasses(), waitingQueues()]);
    [waitingProblem.value, waitingSince.value] = [undefined, Date.now()];
  } catch (refused) {
    waitingProblem.value = refused;
  }
}
