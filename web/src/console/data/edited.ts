/**
 * Workflows as an editor wants them: the files of a version with their bytes, a new version kept, a run of what is written, what the
 * server brings along to begin with.
 *
 * Never touches the DOM.
 */

import { answerOf, ask } from "../../api/ask.ts";
import { type WorkflowFile, createRun, formInProject } from "../../api/client.ts";
import * as routes from "../../api/routes.gen.ts";
import type { ExampleView, RunCreated, WorkflowKept } from "../../api/types.gen.ts";
import { type EditedFile, type Files, contentOf, documentOf, fileOf, mayBeText, sorted } from "../editor/files.ts";

export interface Version {
  readonly name: string;
  readonly files: Files;
}

/** A version that the server has. @throws Refusal */
export async function loadVersion(hash: string): Promise<Version> {
  const { name, files } = await ask(routes.showWorkflow(hash));
  return { name, files: sorted(await Promise.all(files.map(({ path, hash: blob }) => loadFile(path, blob)))) };
}

/** A version that is compared: of what has no text here its hash says all, and it is not read. @throws Refusal */
export async function loadCompared(hash: string): Promise<Version> {
  const { name, files } = await ask(routes.showWorkflow(hash));
  const compared = files.map(async ({ path, hash: blob, bytes: length }): Promise<EditedFile> => {
    const file = mayBeText(path, length) ? await loadFile(path, blob) : { path, text: undefined };
    return { ...file, stored: { hash: blob, length } };
  });
  return { name, files: sorted(await Promise.all(compared)) };
}

/** The document of a version alone; `undefined` where it is no text. @throws Refusal */
export async function loadDocument(hash: string): Promise<string | undefined> {
  const { files } = await ask(routes.showWorkflow(hash));
  const document = documentOf(files.map(({ path }) => ({ path, text: undefined })));
  const found = files.find(({ path }) => path === document?.path);
  return found && (await loadFile(found.path, found.hash)).text;
}

async function loadFile(path: string, hash: string): Promise<EditedFile> {
  const response = await answerOf({ method: "GET", path: `/blobs/${hash}` });
  return fileOf(path, new Uint8Array(await response.arrayBuffer()));
}

function uploadOf(files: Files): WorkflowFile[] {
  return files.map((file) => ({ name: file.path, content: new Blob([contentOf(file)]) }));
}

/** @throws Refusal */
export function keepVersion(name: string, files: Files): Promise<WorkflowKept> {
  const body = formInProject();
  body.append("name", name);
  for (const file of uploadOf(files)) body.append("file", file.content, file.name);
  return ask(routes.keepWorkflow(), { body });
}

/** @throws Refusal */
export function runFiles(name: string, files: Files): Promise<RunCreated> {
  return createRun({ name, files: uploadOf(files) });
}

/** @throws Refusal */
export function loadExamples(): Promise<readonly ExampleView[]> {
  return ask(routes.listExamples());
}
