/** The lines of a plain text, asked as those of an editor are. Pure. */

import type { Lines } from "../../editor/places.ts";

export function linesOf(text: string): Lines {
  const lines = text.split("\n");
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const line = (number: number) => ({ from: starts[number - 1] ?? text.length, text: lines[number - 1] ?? "" });
  return { lines: lines.length, length: text.length, line };
}
