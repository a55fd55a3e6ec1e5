/** The value nodes of a stored version, for the form of a run with other values: read from its document by the checker, as in the editor. */

import { Refusal } from "../../../api/request.ts";
import { loadDocument } from "../../data/edited.ts";
import { valuesOf } from "../editor/inputs.ts";
import type { KnownValue } from "./inputs.ts";

/** Empty where they cannot be known: the form then takes any id. */
export async function valuesIn(workflow: string): Promise<readonly KnownValue[]> {
  const [document, checking] = await Promise.all([documentIn(workflow), loadChecking()]);
  if (document === undefined || checking === undefined) return [];
  const checker = checking.makeChecker(checking.openChecking, () => undefined);
  const found = await checker.check([], document);
  checker.end();
  return valuesOf(found?.outline ?? undefined);
}

async function documentIn(workflow: string): Promise<string | undefined> {
  try {
    return await loadDocument(workflow);
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused;
    return undefined;
  }
}

/** Most pages do without it. The server may be of another release by now, which has it under another name. */
async function loadChecking() {
  try {
    return await import("../../editor/checker.ts");
  } catch {
    return undefined;
  }
}
