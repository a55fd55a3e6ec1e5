/** The question as the server is asked it. */

import { Refusal, read } from "../../api/request.ts";
import { showAim } from "../../api/volunteer.gen.ts";
import type { AimView } from "../../api/types.gen.ts";

/** A server that says nothing is given up before it is asked again. */
const PATIENCE_MS = 8000;

/** @throws Refusal, or what an answer of somebody else's brings */
export async function askServer(workflow: string): Promise<AimView | undefined> {
  try {
    return await read(showAim(workflow), { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (problem) {
    if (problem instanceof Refusal && problem.code === "notRunning") return undefined;
    throw problem;
  }
}
