/** What jobs need of a worker, in words. */

import type { WaitingClassView } from "../../api/types.gen.ts";
import { engineName } from "./engine.ts";
import { QUEUE } from "./queue.ts";

/** A class of what waits; no other one has the same words. */
export function needsOf({ needs: { capabilities, memoryMb }, leftOut }: Pick<WaitingClassView, "needs" | "leftOut">): string {
  return QUEUE.classes.of(capabilities, memoryMb, leftOut.map(engineName));
}
