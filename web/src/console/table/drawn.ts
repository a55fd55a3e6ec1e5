/** Which pieces of a long list are drawn. Pure. */

/** Rows of a piece. */
export const PIECE = 100;

/** An empty list has one as well. */
export function piecesOf(rows: number): number {
  return Math.max(1, Math.ceil(rows / PIECE));
}

/** Those that are near, and the next one behind each, so that a key never ends where something follows; `ends`: the last one as well. */
export function drawnPieces(near: ReadonlySet<number>, pieces: number, ends: boolean): readonly boolean[] {
  return Array.from({ length: pieces }, (_, at) => near.has(at) || near.has(at - 1) || (ends && at >= pieces - 1));
}
