/** What a new workflow may begin with: shipped ones whose files are all texts, and an empty one. A chunk of its own. */

import { EMPTY, type Files, sorted } from "./files.ts";

/** Path from here to text. */
const TEXTS = import.meta.glob(
  ["../../../../workflows/{add,pi,flops,saxpy}/*.{xml,js,json,wgsl}", "!../../../../workflows/*/expected.json"],
  { query: "?raw", import: "default", eager: true },
) as Readonly<Record<string, string>>;

/** The files of one; the empty one's for a name that is not known. */
export function startOf(name: string): Files {
  const own = Object.entries(TEXTS).flatMap(([path, text]) => {
    const [, folder = "", file = ""] = /([^/]+)\/([^/]+)$/.exec(path) ?? [];
    return folder === name ? [{ path: file, text }] : [];
  });
  return own.length === 0 ? EMPTY : sorted(own);
}
