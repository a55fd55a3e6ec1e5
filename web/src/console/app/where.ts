/** Where somebody is: the address as a route. Owns hearing of another one. */

import { signal } from "@preact/signals";
import { movedTo, routeOf } from "./routes.ts";

export const current = signal(routeOf(""));
/** Goes up when all that is shown is to be asked anew, as when another project is chosen. */
export const epoch = signal(0);

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
  current.value = routeOf(location.hash);
}
