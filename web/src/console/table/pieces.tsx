/**
 * A list of any length, of which only those pieces are elements that are near what can be seen; the others keep their room.
 *
 * Owns which pieces are drawn and how high the others stand. What a row looks like says the caller; rows may be of any height. A piece in
 * which the focus is stays, and keys reach the first and the last row, drawn or not.
 */

import type { ComponentChildren } from "preact";
import { type Dispatch, type StateUpdater, useLayoutEffect, useRef, useState } from "preact/hooks";
import { PIECE, drawnPieces, piecesOf } from "./drawn.ts";
import { hearEdge, linkOf } from "./rove.ts";

/** Near is what a screen more above and below would show. */
const NEAR = "100% 0px";

interface Shown<T> {
  readonly rows: readonly T[];
  /** Class and role of what holds rows. */
  readonly name: string;
  readonly role?: "rowgroup";
  /** Whether the end is drawn wherever somebody is, as where it is followed. */
  readonly ends?: boolean;
  /** `first`: the place of the first of these among all. */
  readonly draw: (rows: readonly T[], first: number) => ComponentChildren;
  /** Hears whenever rows are drawn. */
  readonly drawn?: () => void;
}

export function Pieces<T>({ rows, name, role, ends = false, draw, drawn: told }: Shown<T>) {
  const body = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<number, number>());
  const [near, setNear] = useState<ReadonlySet<number>>(new Set([0]));
  const pieces = piecesOf(rows.length);
  const drawn = drawnPieces(near, pieces, ends);
  const wanted = useRef<"first" | "last" | undefined>(undefined);
  const goTo = (last: boolean): void => {
    wanted.current = last ? "last" : "first";
    setNear((before) => new Set([...before, last ? pieces - 1 : 0]));
  };
  useLayoutEffect(() => watch(body.current, pieces, heights.current, setNear), [pieces]);
  useLayoutEffect(() => (body.current === null ? undefined : hearEdge(body.current, goTo)), [pieces]);
  useLayoutEffect(() => {
    keepRoom(body.current, drawn, heights.current, rows.length);
    told?.();
    if (wanted.current !== undefined) focusEdge(body.current, wanted.current);
    wanted.current = undefined;
  });
  return (
    <div ref={body}>
      {drawn.map((isDrawn, at) => (
        <div key={at} class={isDrawn ? name : "away"} role={isDrawn ? role : "presentation"} data-piece={at}>
          {isDrawn && draw(rows.slice(at * PIECE, (at + 1) * PIECE), at * PIECE)}
        </div>
      ))}
    </div>
  );
}

function focusEdge(body: HTMLElement | null, edge: "first" | "last"): void {
  const rows = body?.querySelectorAll("[data-row]") ?? [];
  const row = rows[edge === "first" ? 0 : rows.length - 1];
  if (row !== undefined) linkOf(row)?.focus();
}

type Told = Dispatch<StateUpdater<ReadonlySet<number>>>;

function watch(body: HTMLElement | null, pieces: number, heights: Map<number, number>, told: Told): (() => void) | undefined {
  if (body === null || pieces < 2) return undefined;
  const observer = new IntersectionObserver((entries) => told((before) => nearNow(before, entries, heights)), { rootMargin: NEAR });
  for (const piece of body.children) observer.observe(piece);
  return () => observer.disconnect();
}

function nearNow(before: ReadonlySet<number>, entries: readonly IntersectionObserverEntry[], heights: Map<number, number>) {
  const now = new Set(before);
  for (const { target, isIntersecting, boundingClientRect } of entries) {
    const at = Number((target as HTMLElement).dataset["piece"]);
    if (isIntersecting || target.contains(document.activeElement)) now.add(at);
    else if (now.delete(at)) heights.set(at, boundingClientRect.height);
  }
  return now;
}

/** As high as it was, or as so many rows of those that are drawn. */
function keepRoom(body: HTMLElement | null, drawn: readonly boolean[], heights: ReadonlyMap<number, number>, rows: number): void {
  if (body === null) return;
  const pieces = [...(body.children as HTMLCollectionOf<HTMLElement>)];
  const rowsOf = (at: number): number => Math.min(PIECE, rows - at * PIECE);
  const known = drawn.indexOf(true);
  const each = drawn.includes(false) ? (pieces[known]?.offsetHeight ?? 0) / rowsOf(known) : 0;
  for (const [at, piece] of pieces.entries()) {
    piece.style.height = drawn[at] === true ? "" : `${heights.get(at) ?? each * rowsOf(at)}px`;
  }
}
