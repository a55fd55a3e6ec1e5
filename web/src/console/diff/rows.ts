/** A comparison as rows for people: what was removed beside what was added, and long stretches of the same left out. Pure. */

import type { Piece } from "./lines.ts";
import { type Part, compareWords } from "./words.ts";

export interface Side {
  readonly number: number;
  readonly parts: readonly Part[];
}

export type Row =
  | { readonly kind: "same" | "changed" | "removed" | "added"; readonly old: Side | undefined; readonly fresh: Side | undefined }
  | { readonly kind: "skipped"; readonly count: number };

/** Equal lines that stay around what differs. */
const CONTEXT = 3;

export function rowsOf(pieces: readonly Piece[]): readonly Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < pieces.length;) {
    const end = endOfKind(pieces, at);
    if (pieces[at]?.kind === "same") {
      rows.push(...around(pieces.slice(at, end), at === 0, end === pieces.length));
      at = end;
    } else {
      const last = endOfChange(pieces, at);
      rows.push(...paired(pieces.slice(at, last)));
      at = last;
    }
  }
  return rows;
}

function endOfKind(pieces: readonly Piece[], from: number): number {
  const end = pieces.findIndex((piece, at) => at > from && piece.kind !== pieces[from]?.kind);
  return end === -1 ? pieces.length : end;
}

function endOfChange(pieces: readonly Piece[], from: number): number {
  const end = pieces.findIndex((piece, at) => at > from && piece.kind === "same");
  return end === -1 ? pieces.length : end;
}

function around(same: readonly Piece[], first: boolean, last: boolean): Row[] {
  const [head, tail] = [first ? 0 : CONTEXT, last ? 0 : CONTEXT];
  const count = same.length - head - tail;
  if (count <= 1) return same.map(sameRow);
  return [...same.slice(0, head).map(sameRow), { kind: "skipped", count }, ...same.slice(same.length - tail).map(sameRow)];
}

function sameRow({ from, to, text }: Piece): Row {
  const parts = text === "" ? [] : [{ text, marked: false }];
  return { kind: "same", old: { number: from, parts }, fresh: { number: to, parts } };
}

/** The first removed line beside the first added one, and so on. */
function paired(pieces: readonly Piece[]): Row[] {
  const removed = pieces.filter(({ kind }) => kind === "removed");
  const added = pieces.filter(({ kind }) => kind === "added");
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, at): Row => {
    const [one, other] = [removed[at], added[at]];
    if (one !== undefined && other !== undefined) {
      const [old, fresh] = compareWords(one.text, other.text);
      return { kind: "changed", old: { number: one.from, parts: old }, fresh: { number: other.to, parts: fresh } };
    }
    if (one !== undefined)
      return { kind: "removed", old: { number: one.from, parts: [{ text: one.text, marked: false }] }, fresh: undefined };
    return { kind: "added", old: undefined, fresh: { number: other?.to ?? 0, parts: [{ text: other?.text ?? "", marked: false }] } };
  });
}
