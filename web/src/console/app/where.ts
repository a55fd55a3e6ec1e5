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

/**
 * Writes what is filtered into the address, without another step back. Where somebody has gone on already, nothing: what the page that is
 * left still tells would be taken for the next one's.
 */
export function replaceQuery(entries: Readonly<Record<string, string>>): void {
  if (location.hash !== shown) return;
  const [path = ""] = shown.split("?", 1);
  history.replaceState(null, "", withQuery(path === "" ? HOME : path, entries));
  shown = location.hash;
}
