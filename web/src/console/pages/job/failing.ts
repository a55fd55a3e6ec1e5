/** At which line of its code a job has failed, by what its attempts tell. Pure. */

import type { AttemptView } from "../../../api/types.gen.ts";

const SPECIAL = /[.*+?^${}()|[\]\\]/gu;

/** Counted from 1; `undefined` where no stack names the file. The first place in a stack is the innermost one. */
export function failingLine(source: string, attempts: readonly Pick<AttemptView, "stack">[]): number | undefined {
  if (source === "") return undefined;
  const place = new RegExp(`(?<![\\w.-])${source.replace(SPECIAL, "\\$&")}:(\\d+)`, "u");
  const newest = attempts.findLast(({ stack }) => stack !== null && stack !== "");
  const line = Number(newest?.stack?.match(place)?.[1]);
  return line > 0 ? line : undefined;
}

/** A text in three: before a line, the line without its end, and behind it. `undefined` where it has no such line. */
export function aroundLine(text: string, line: number): readonly [string, string, string] | undefined {
  let from = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf("\n", from);
    if (end < 0) return undefined;
    from = end + 1;
  }
  const end = text.indexOf("\n", from);
  const until = end < 0 ? text.length : end;
  return [text.slice(0, from), text.slice(from, until), text.slice(until)];
}
