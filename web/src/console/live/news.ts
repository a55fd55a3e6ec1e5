/**
 * News of the fleet and of the runs, as they come by the one stream of this tab; and whether they can be trusted to come. Somebody may
 * hold them: then the screen stays as it is, and what came meanwhile is counted and shown afterwards.
 *
 * Owns the stream. Never touches the DOM, but for `data-live` of the root element.
 */

import { signal } from "@preact/signals";
import { fleetEventsPath } from "../../api/client.ts";
import type { Refused } from "../../api/request.ts";
import type { Fleet, RunSummary } from "../../api/types.gen.ts";
import { listen } from "./listen.ts";

export type Connection =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** The next try is at `retryAt`, in milliseconds since 1970; `why` in the server's words. */
  | { readonly kind: "lost"; readonly retryAt: number; readonly why: string }
  | { readonly kind: "ending" };

/** `undefined`: not known yet. */
export const newestRuns = signal<readonly RunSummary[] | undefined>(undefined);
export const fleet = signal<Fleet | undefined>(undefined);
export const connection = signal<Connection>({ kind: "connecting" });
/** How many news came since somebody holds them; `undefined`: nobody does. */
export const heldBack = signal<number | undefined>(undefined);

const waiting = new Map<string, () => void>();

/** Shows something now, or the newest under this key once nobody holds the news any more. */
export function deliver(key: string, show: () => void): void {
  if (heldBack.value === undefined) {
    show();
    return;
  }
  heldBack.value += 1;
  waiting.set(key, show);
}

export function hold(still: boolean): void {
  heldBack.value = still ? 0 : undefined;
  if (still) return;
  const all = [...waiting.values()];
  waiting.clear();
  for (const show of all) show();
}

let unfollow = (): void => undefined;

/** Begins anew, for the project that is chosen now. `onRefused` hears why nothing comes. */
export function follow(onRefused: (refused: Refused) => void): void {
  unfollow();
  // What was held back belongs to the project before.
  waiting.clear();
  hold(false);
  [newestRuns.value, fleet.value] = [undefined, undefined];
  const handlers = {
    runs: (data: unknown) => deliver("runs", () => (newestRuns.value = data as RunSummary[])),
    fleet: (data: unknown) => deliver("fleet", () => (fleet.value = data as Fleet)),
    bye: () => (connection.value = { kind: "ending" }),
  };
  unfollow = listen(fleetEventsPath(), handlers, (live, retryAt, refused) => {
    document.documentElement.dataset["live"] = String(live);
    if (live) connection.value = { kind: "live" };
    else connection.value = { kind: "lost", retryAt, why: refused?.detail ?? "" };
    if (refused !== undefined) onRefused(refused);
  });
}
