/** Places that diagnostics name, lines and columns in characters from 1, as offsets of a text that an editor holds. Pure. */

import type { DiagnosticView } from "../../api/types.gen.ts";
import type { Place } from "./said.ts";

/** What is asked of a text; CodeMirror's `Text` answers it. */
export interface Lines {
  readonly lines: number;
  readonly length: number;
  readonly line: (number: number) => { readonly from: number; readonly text: string };
}

/** Where a diagnostic stands. A text that has changed since may be shorter: the place is inside it all the same. */
export function placeOf(lines: Lines, { line, column, endLine, endColumn }: DiagnosticView): Place {
  const from = offset(lines, line, column);
  return { from, to: Math.max(from, offset(lines, endLine, endColumn)) };
}

function offset(lines: Lines, line: number, column: number): number {
  if (line > lines.lines) return lines.length;
  const { from, text } = lines.line(Math.max(line, 1));
  return from + units(text, column - 1);
}

/** How many UTF-16 units the first characters have. A byte order mark counts as none, as the checker reads it. */
function units(text: string, characters: number): number {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  for (let left = characters; left > 0 && at < text.length; left -= 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
