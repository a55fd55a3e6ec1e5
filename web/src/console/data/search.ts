/**
 * What the palette asks the server for: runs whose name begins so, and where the version of a workflow with this hash has its page.
 *
 * Never throws a refusal: where the server cannot be asked, nothing is found.
 */

import { ask } from "../../api/ask.ts";
import { listRuns } from "../../api/client.ts";
import { Refusal } from "../../api/request.ts";
import { showWorkflow } from "../../api/routes.gen.ts";
import type { RunSummary } from "../../api/types.gen.ts";

/** Characters that the server takes for the beginning of a name. */
export const MOST_CHARS = 100;
/** Runs that are asked for. */
const MOST_RUNS = 12;

export async function findRuns(q: string): Promise<readonly RunSummary[]> {
  if (q === "" || q.length > MOST_CHARS) return [];
  const page = await unrefused(listRuns({ state: null, workflow: null, q }, null, MOST_RUNS));
  return page?.runs ?? [];
}

/** The first name of a stored version; `undefined` where there is none that somebody may see. */
export async function nameOfVersion(hash: string): Promise<string | undefined> {
  return (await unrefused(ask(showWorkflow(hash))))?.name;
}

async function unrefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused;
    return undefined;
  }
}
