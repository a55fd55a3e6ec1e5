/** One version of a stored workflow: its files, and which other versions have its name. Never touches the DOM. */

import { signal } from "@preact/signals";
import { ask } from "../../api/ask.ts";
import { showWorkflow } from "../../api/routes.gen.ts";
import type { WorkflowFileView, WorkflowVersionView } from "../../api/types.gen.ts";
import { findWorkflows } from "./workflows.ts";

export function openVersion(name: string, workflow: string) {
  const files = signal<readonly WorkflowFileView[] | undefined>(undefined);
  /** All that have its name, the newest first; empty until they are known. */
  const versions = signal<readonly WorkflowVersionView[]>([]);
  const problem = signal<unknown>(undefined);

  async function load(): Promise<void> {
    problem.value = undefined;
    try {
      files.value = (await ask(showWorkflow(workflow))).files;
    } catch (refused) {
      problem.value = refused;
    }
  }
  async function lookForOthers(): Promise<void> {
    versions.value = (await findWorkflows()).find((one) => one.name === name)?.versions ?? [];
  }
  void load();
  void lookForOthers();
  return { files, versions, problem, load };
}
