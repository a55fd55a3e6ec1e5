/**
 * Stored workflows: their list, asked anew whenever a page wants it, and kept for a while for whoever only looks for a name.
 *
 * Never touches the DOM.
 */

import { signal } from "@preact/signals";
import { chosenProject } from "../../api/chosen.ts";
import { listWorkflows } from "../../api/client.ts";
import { Refusal } from "../../api/request.ts";
import type { NamedWorkflowView } from "../../api/types.gen.ts";

const KEPT_MS = 30_000;

type Named = readonly NamedWorkflowView[];

let kept: { readonly project: string | null; readonly at: number; readonly all: Promise<Named> } | undefined;

/** For a page: asks at once. */
export function makeWorkflowList() {
  const all = signal<Named | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  async function load(): Promise<void> {
    problem.value = undefined;
    try {
      all.value = await listWorkflows();
    } catch (refused) {
      problem.value = refused;
    }
  }
  void load();
  return { all, problem, load };
}

/** What was asked lately will do. Empty where the server cannot be asked. */
export async function findWorkflows(): Promise<Named> {
  const [project, at] = [chosenProject(), Date.now()];
  if (kept === undefined || kept.project !== project || at - kept.at > KEPT_MS) kept = { project, at, all: listWorkflows() };
  try {
    return await kept.all;
  } catch (problem) {
    kept = undefined;
    if (!(problem instanceof Refusal)) throw problem;
    return [];
  }
}
