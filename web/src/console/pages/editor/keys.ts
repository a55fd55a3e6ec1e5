/** What a draft is kept under: its project, and the version or the name that it belongs to. Pure. */

export function draftKey(project: string | null, name: string, hash: string): string {
  return JSON.stringify([project, name, hash]);
}

/** The project, name and version of a key; `undefined` for any other text. */
export function readDraftKey(key: string): { readonly project: string | null; readonly name: string; readonly hash: string } | undefined {
  let found: unknown;
  try {
    found = JSON.parse(key);
  } catch {
    return undefined;
  }
  if (!Array.isArray(found)) return undefined;
  const [project, name, hash] = found as readonly unknown[];
  const known = (project === null || typeof project === "string") && typeof name === "string" && typeof hash === "string";
  return known ? { project, name, hash } : undefined;
}
