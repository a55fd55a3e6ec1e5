/**
 * The upload card: a folder, files, a zip, or a drop become a run; a refusal becomes a list of places and reasons.
 *
 * Owns the card and the report above it. Where a run goes once it is there is the caller's.
 */

import { type WorkflowUpload, createRun } from "../api/client.ts";
import { Refusal } from "../api/request.ts";
import type { RunCreated } from "../api/types.gen.ts";
import { byId, make } from "../dom.ts";
import { fromDrop, fromInput } from "./collect.ts";
import { counted } from "./format.ts";
import { makeDiagnostics } from "./parts.ts";

export function prepareUpload(onCreated: (run: RunCreated) => void): void {
  pickWith("pick-folder", "folder", onCreated);
  pickWith("pick-files", "files", onCreated);
  acceptDrops(byId("upload", HTMLElement), onCreated);
}

function pickWith(buttonId: string, inputId: string, onCreated: (run: RunCreated) => void): void {
  const input = byId(inputId, HTMLInputElement);
  byId(buttonId, HTMLButtonElement).addEventListener("click", () => {
    input.click();
  });
  input.addEventListener("change", () => {
    const chosen = fromInput(input.files ?? []);
    // Otherwise choosing the same files again, corrected, would be no change.
    input.value = "";
    void upload(chosen, onCreated);
  });
}

function acceptDrops(card: HTMLElement, onCreated: (run: RunCreated) => void): void {
  // A drop beside the card would make the browser leave the console.
  addEventListener("dragover", (event) => {
    event.preventDefault();
    card.classList.toggle("over", event.target instanceof Node && card.contains(event.target));
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) card.classList.remove("over");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    card.classList.remove("over");
    const inside = event.target instanceof Node && card.contains(event.target);
    if (inside && event.dataTransfer !== null) void uploadDrop(event.dataTransfer, onCreated);
  });
}

async function uploadDrop(drop: DataTransfer, onCreated: (run: RunCreated) => void): Promise<void> {
  try {
    await upload(await fromDrop(drop.items), onCreated);
  } catch {
    report(make("p", {}, "The browser could not read what was dropped."), "bad");
  }
}

async function upload(workflow: WorkflowUpload, onCreated: (run: RunCreated) => void): Promise<void> {
  const count = workflow.files.length;
  if (count === 0) return;
  report(make("p", {}, `Uploading ${counted(count, "file")}…`));
  try {
    const created = await createRun(workflow);
    showWarnings(created);
    onCreated(created);
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    report(make("p", {}, make("strong", {}, problem.message)), "bad", makeDiagnostics(problem.diagnostics));
  }
}

function showWarnings(created: RunCreated): void {
  if (created.warnings.length === 0) {
    byId("report", HTMLElement).replaceChildren();
    return;
  }
  const text = `“${created.name}” runs, with ${counted(created.warnings.length, "warning")}.`;
  report(make("p", {}, make("strong", {}, text)), "busy", makeDiagnostics(created.warnings));
}

function report(first: Node, tone = "plain", ...rest: Node[]): void {
  byId("report", HTMLElement).replaceChildren(make("div", { class: "card notice", "data-tone": tone }, first, ...rest));
}
