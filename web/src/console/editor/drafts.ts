/**
 * Drafts of workflows in this browser: what was written and not saved, by project and place, until it is saved or thrown away.
 *
 * Owns the database in the browser. Nothing of it is sent anywhere. A browser without such a database keeps no drafts, and all else
 * works.
 */

import type { EditedFile, Files } from "./files.ts";

export interface Draft {
  /** What is edited: a version's hash and name, or the name of a new one. */
  readonly key: string;
  readonly name: string;
  readonly files: Files;
  /** When it was last changed, in milliseconds since 1970. */
  readonly at: number;
}

const DATABASE = "weevil-drafts";
const STORE = "drafts";
const VERSION = 1;
/** Drafts that are kept; the oldest go first. */
export const MAX_DRAFTS = 50;

let opened: Promise<IDBDatabase | undefined> | undefined;

function open(): Promise<IDBDatabase | undefined> {
  opened ??= new Promise((resolve) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.addEventListener("upgradeneeded", () => void request.result.createObjectStore(STORE, { keyPath: "key" }));
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => resolve(undefined));
    request.addEventListener("blocked", () => resolve(undefined));
  });
  return opened;
}

async function within<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  const database = await open();
  if (database === undefined) return undefined;
  return new Promise((resolve) => {
    const request = act(database.transaction(STORE, mode).objectStore(STORE));
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => resolve(undefined));
  });
}

/** What was stored may come from another release. */
export function draftIn(found: unknown): Draft | undefined {
  if (typeof found !== "object" || found === null) return undefined;
  const { key, name, files, at } = found as Partial<Record<keyof Draft, unknown>>;
  if (typeof key !== "string" || typeof name !== "string" || typeof at !== "number" || !Array.isArray(files)) return undefined;
  return files.length > 0 && files.every(isFile) ? { key, name, at, files } : undefined;
}

function isFile(found: unknown): found is EditedFile {
  if (typeof found !== "object" || found === null) return false;
  const { path, text, bytes } = found as Partial<Record<keyof EditedFile, unknown>>;
  return typeof path === "string" && (typeof text === "string" || bytes instanceof Uint8Array);
}

export async function draftOf(key: string): Promise<Draft | undefined> {
  return draftIn(await within<unknown>("readonly", (store) => store.get(key)));
}

/** All drafts, the newest first. */
export async function listDrafts(): Promise<readonly Draft[]> {
  const found = (await within<unknown[]>("readonly", (store) => store.getAll())) ?? [];
  return found.flatMap((one) => draftIn(one) ?? []).sort((a, b) => b.at - a.at);
}

export async function keepDraft(draft: Draft): Promise<void> {
  await within("readwrite", (store) => store.put(draft));
  const beyond = (await listDrafts()).slice(MAX_DRAFTS);
  for (const { key } of beyond) await forgetDraft(key);
}

export async function forgetDraft(key: string): Promise<void> {
  await within("readwrite", (store) => store.delete(key));
}
