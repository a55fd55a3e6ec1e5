/** The connected workers in numbers, asked again and again while somebody can see them. */

import { signal } from "@preact/signals";
import { Refusal } from "../../api/request.ts";
import type { WorkerSums } from "../../api/types.gen.ts";
import { listWorkers } from "../../api/workers.ts";
import { whileVisible } from "../live/visible.ts";

const EVERY_MS = 5000;
/** The sums come with the first page, however short. */
const ONE = 1;

export const workerSums = signal<WorkerSums | undefined>(undefined);

/** Keeps them up to date until the returned function is called. What is refused says the page's own list. */
export function watchWorkerSums(): () => void {
  return whileVisible(EVERY_MS, async () => {
    try {
      const { sums } = await listWorkers({ q: "", state: "connected", sort: "" }, null, ONE);
      workerSums.value = sums;
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
    }
  }).stop;
}
