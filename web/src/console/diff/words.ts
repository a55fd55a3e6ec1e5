/** Which words of a line are others in its new form. Pure. */

import { compare } from "./lines.ts";

export interface Part {
  readonly text: string;
  /** It is in this form of the line alone. */
  readonly marked: boolean;
}

/** Longer lines are marked whole. */
const MAX_WORDS = 400;

/** Both forms of a line, in parts. */
export function compareWords(one: string, other: string): readonly [readonly Part[], readonly Part[]] {
  const [a, b] = [wordsIn(one), wordsIn(other)];
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) return [whole(one), whole(other)];
  const { pieces } = compare(a, b);
  const side = (mark: "removed" | "added"): Part[] =>
    joined(pieces.filter(({ kind }) => kind === "same" || kind === mark).map(({ kind, text }) => ({ text, marked: kind === mark })));
  return [side("removed"), side("added")];
}

function whole(text: string): Part[] {
  return text === "" ? [] : [{ text, marked: true }];
}

function wordsIn(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function joined(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (last?.marked === part.marked) out[out.length - 1] = { ...last, text: last.text + part.text };
    else out.push(part);
  }
  return out;
}
