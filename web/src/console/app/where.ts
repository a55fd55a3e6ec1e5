/** Where somebody is: the address as a route. Owns hearing of another one, and writing into it what is filtered. */

import { signal } from "@preact/signals";
import { HOME, movedTo, routeOf, withQuery } from "./routes.ts";

export const current = signal(routeOf(""));
/** Goes up when all that is shown is to be asked anew, as when another project is chosen. */
export const epoch = signal(0);
/** The address of what is shown; the browser's own is ahead of it until its `hashchange`. */
let shown: string | undefined;

/** `onChange` hears before the page changes. */
export function listenForAddress(onChange: () => void): void {
  look();
  addEventListener("hashchange", () => {
    onChange();
    look();
  });
}

function look(): void {
  const moved = movedTo(location.hash);
  if (moved !== undefined) history.replaceState(null, "", moved);
  shown = location.hash;
  current.value = routeOf(shown);
}

/** Entries of parts of a page, each of which writes its own: they stay whatever the page itself says is filtered. */
const OF_PARTS = ["peek", "needs", "needs-sort", "queue", "queue-sort", "listed", "show", "panels", "faces"] as const;
export type PartEntry = (typeof OF_PARTS)[number];
/** Those, and entries that belong to a single page. */
export type Entry = PartEntry | "file" | "span" | "q" | "sort" | "errors" | "node" | "as";

/**
 * Writes what is filtered into the address, without another step back. Where somebody has gone on already, nothing: what the page that is
 * left still tells would be taken for the next one's.
 */
export function replaceQuery(entries: Readonly<Record<string, string>>): void {
  if (location.hash !== shown) return;
  const query = queryShown();
  const kept = OF_PARTS.filter((name) => !(name in entries)).map((name) => [name, query.get(name) ?? ""] as const);
  write({ ...entries, ...Object.fromEntries(kept) });
}

/** The same for one entry beside all others, as a part of a page has it; an empty one is left out. */
export function replaceEntry(name: Entry, value: string): void {
  if (location.hash === shown) write({ ...Object.fromEntries(queryShown()), [name]: value });
}

/** What is shown has another address now, and is the same: another step back would lead nowhere. */
export function replaceAddress(address: string): void {
  history.replaceState(null, "", address);
  shown = location.hash;
}

/** What the address says of a part of the page. */
export function entryShown(name: Entry): string {
  return queryShown().get(name) ?? "";
}

function queryShown(): URLSearchParams {
  return new URLSearchParams(shown?.split("?", 2)[1] ?? "");
}

function write(entries: Readonly<Record<string, string>>): void {
  const [path = ""] = (shown ?? "").split("?", 1);
  replaceAddress(withQuery(path === "" ? HOME : path, entries));
}
