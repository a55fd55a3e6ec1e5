/** What is inside a value, one level at a time, and where a text stands in it. Pure: nothing is opened that nobody asks for. */

import { isTyped } from "./layout.ts";
import { isSingle, kindOf, literal } from "./text.ts";
import { VIEWER } from "../words/viewer.ts";

export interface Entry {
  /** A property's name, or an element's number. */
  readonly name: string;
  readonly value: unknown;
}

/** From the outermost to the innermost. */
export type Path = readonly string[];

/** Characters of a text in a line. */
const SHOWN_CHARS = 200;

/** How many entries are inside; 0 where it cannot be opened. */
export function sizeOf(value: unknown): number {
  if (isSingle(value)) return 0;
  return Array.isArray(value) || isTyped(value) ? value.length : Object.keys(value as object).length;
}

export function entriesOf(value: unknown, from: number, to: number): Entry[] {
  if (isSingle(value)) return [];
  if (Array.isArray(value) || isTyped(value)) {
    const items = value as ArrayLike<unknown>;
    const end = Math.min(to, items.length);
    return Array.from({ length: Math.max(0, end - from) }, (_, at) => ({ name: String(from + at), value: items[from + at] }));
  }
  return Object.entries(value as object)
    .slice(from, to)
    .map(([name, inside]) => ({ name, value: inside }));
}

/** `Array(3)`, `object with 2 properties`, or the value itself where it is single. */
export function summaryOf(value: unknown, kind = kindOf(value)): string {
  if (isSingle(value)) return clipped(literal(value));
  const size = sizeOf(value);
  return kind === "object" ? VIEWER.object(size) : VIEWER.list(kind, size);
}

/** Paths to names and single values that hold the text, whatever its case; `undefined` for each value that was passed without one. */
export function* search(value: unknown, text: string): Generator<Path | undefined> {
  const wanted = text.toLowerCase();
  const holds = (found: string): boolean => found.toLowerCase().includes(wanted);
  const open: { path: Path; value: unknown }[] = [{ path: [], value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value: here } = next;
    const isNamed = !isSingle(here) && !Array.isArray(here) && !isTyped(here);
    const inside: typeof open = [];
    for (let at = 0; at < sizeOf(here); at += SHOWN_CHARS) {
      for (const entry of entriesOf(here, at, at + SHOWN_CHARS)) {
        const found = [...path, entry.name];
        const isFound = (isNamed && holds(entry.name)) || (isSingle(entry.value) && holds(literal(entry.value)));
        yield isFound ? found : undefined;
        if (!isSingle(entry.value)) inside.push({ path: found, value: entry.value });
      }
    }
    for (let at = inside.length - 1; at >= 0; at--) open.push(inside[at] as (typeof inside)[number]);
  }
}

function clipped(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
