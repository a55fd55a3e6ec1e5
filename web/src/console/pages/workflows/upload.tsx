/**
 * Uploads: a folder, files, a zip, or what is dropped anywhere on the console become a run; a refusal becomes a list of places and
 * reasons above the page.
 *
 * Owns the two fields for files, which no one sees, and the veil while something is dragged. Where a run goes once it is there says the
 * address.
 */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type WorkflowUpload, createRun } from "../../../api/client.ts";
import { Refusal } from "../../../api/request.ts";
import type { RunCreated } from "../../../api/types.gen.ts";
import { byId } from "../../../dom.ts";
import { runAddress } from "../../app/routes.ts";
import { mayStart } from "../../data/projects.ts";
import { report } from "../../parts/report.tsx";
import { WORKFLOWS } from "../../words/workflows.ts";
import { fromDrop, fromInput } from "./collect.ts";

export function pickFolder(): void {
  byId("folder", HTMLInputElement).click();
}

export function pickFiles(): void {
  byId("files", HTMLInputElement).click();
}

export function UploadInputs() {
  const over = useDrops();
  const take = (input: HTMLInputElement): void => {
    const chosen = fromInput(input.files ?? []);
    // Otherwise choosing the same files again, corrected, would be no change.
    input.value = "";
    void upload(chosen);
  };
  const common = {
    type: "file",
    hidden: true,
    onChange: (event: { currentTarget: HTMLInputElement }) => take(event.currentTarget),
  } as const;
  return (
    <>
      <input id="folder" aria-label={WORKFLOWS.folder} {...common} ref={asFolder} />
      <input id="files" aria-label={WORKFLOWS.files} multiple {...common} />
      {over && <p class="drop-veil">{WORKFLOWS.drop}</p>}
    </>
  );
}

function asFolder(input: HTMLInputElement | null): void {
  if (input !== null) input.webkitdirectory = true;
}

/** Whether something is dragged over the console that may be dropped. */
function useDrops(): boolean {
  const over = useSignal(false);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    // A drop that is not taken would make the browser leave the console.
    addEventListener(
      "dragover",
      (event) => {
        event.preventDefault();
        over.value = mayStart() && (event.dataTransfer?.types.includes("Files") ?? false);
      },
      { signal },
    );
    addEventListener("dragleave", (event) => void (event.relatedTarget === null && (over.value = false)), { signal });
    addEventListener(
      "drop",
      (event) => {
        event.preventDefault();
        over.value = false;
        if (mayStart() && event.dataTransfer !== null) void uploadDrop(event.dataTransfer);
      },
      { signal },
    );
    return () => ending.abort();
  }, []);
  return over.value;
}

async function uploadDrop(drop: DataTransfer): Promise<void> {
  try {
    await upload(await fromDrop(drop.items));
  } catch {
    report({ tone: "bad", text: WORKFLOWS.unreadable });
  }
}

async function upload(workflow: WorkflowUpload): Promise<void> {
  const files = workflow.files.length;
  if (files === 0) return;
  report({ tone: "plain", text: WORKFLOWS.uploading(files) });
  try {
    openCreated(await createRun(workflow));
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    report({ tone: "bad", text: problem.message, diagnostics: problem.diagnostics });
  }
}

/** Goes to a new run; its warnings stay above it. */
export function openCreated({ run, name, warnings }: RunCreated): void {
  const at = runAddress(run);
  const text = WORKFLOWS.warned(name, warnings.length);
  report(warnings.length === 0 ? undefined : { tone: "busy", text, diagnostics: warnings, at });
  location.hash = at;
}
