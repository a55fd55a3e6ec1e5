/**
 * Files out of an input element or a drop, named relative to the workflow's folder. Never reads their content.
 */

import type { WorkflowFile, WorkflowUpload } from "../../../api/client.ts";

interface Found {
  readonly path: string;
  readonly content: Blob;
}

/** Files of an `<input>`; a folder's come with their path. */
export function fromInput(files: Iterable<File>): WorkflowUpload {
  return relative([...files].map((file) => ({ path: file.webkitRelativePath || file.name, content: file })));
}

/** Files and folders of a drop. The entries must be taken before the drop event ends. */
export async function fromDrop(items: Iterable<DataTransferItem>): Promise<WorkflowUpload> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: Found[] = [];
  for (const entry of entries) await walk(entry, found);
  return relative(found);
}

/**
 * Drops hidden files. The first folder, where all files share it, is the workflow's own: it gives the name. So does a
 * zip that comes alone.
 */
export function relative(found: readonly Found[]): WorkflowUpload {
  const shown = found.filter(({ path }) => !path.split("/").some((part) => part.startsWith(".")));
  const top = shown[0]?.path.split("/", 1)[0] ?? "";
  const shared = shown.every(({ path }) => path.startsWith(`${top}/`));
  const start = shared ? top.length + 1 : 0;
  const files = shown.map(({ path, content }) => ({ name: path.slice(start), content }));
  return { name: shared ? top : zipName(files), files };
}

function zipName([only, ...others]: readonly WorkflowFile[]): string {
  const name = only === undefined || others.length > 0 ? undefined : /^(.+)\.zip$/i.exec(only.name)?.[1];
  return name ?? "";
}

async function walk(entry: FileSystemEntry, found: Found[]): Promise<void> {
  if (entry.isFile) {
    const content = await fileOf(entry as FileSystemFileEntry);
    found.push({ path: entry.fullPath.replace(/^\//, ""), content });
    return;
  }
  for (const child of await childrenOf(entry as FileSystemDirectoryEntry)) await walk(child, found);
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject);
  });
}

/** A reader hands out at most a hundred entries at a time, and none at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
  }
}
