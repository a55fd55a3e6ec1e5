/**
 * News of the chosen project's runs, of the fleet and of the queue, as they come by the browser's one stream; and whether they can be
 * trusted to come. They are shown on a beat. Somebody may hold them: then the screen stays as it is, and what came
 * meanwhile is counted and shown afterwards.
 *
 * Never touches the DOM, but for `data-live` of the root element.
 */

import { batch, signal } from "@preact/signals";
import { chosenProject } from "../../api/chosen.ts";
import type { Refused } from "../../api/request.ts";
import type { OverviewFrame, RunSummary } from "../../api/types.gen.ts";
import { BEAT_MS, untilBeat } from "./beat.ts";
import type { Connection } from "./messages.ts";
import { followRuns } from "./newest.ts";
import { listenTo, whenStreamChanges } from "./tab.ts";

/** What the overview tells of the whole server. */
export type Sums = Omit<OverviewFrame, "whole" | "runs" | "gone">;

/** `undefined`: not known yet. */
export const newestRuns = signal<readonly RunSummary[] | undefined>(undefined);
export const sums = signal<Sums | undefined>(undefined);
export const connection = signal<Connection>({ kind: "connecting" });
/** How many news came since somebody holds them; `undefined`: nobody does. */
export const heldBack = signal<number | undefined>(undefined);

/** By what each shows: two that look at the same thing have a key each. */
const waiting = new Map<string | symbol, () => void>();
/** When each was shown last, of those that were lately. */
const shownAt = new Map<string | symbol, number>();
let beat: ReturnType<typeof setTimeout> | undefined;

/**
 * Shows something: at once where it has not been shown for a while, else the newest under this key on the next beat, or once nobody holds
 * the news any more.
 */
export function deliver(key: string | symbol, show: () => void): void {
  if (heldBack.value !== undefined) {
    heldBack.value += 1;
    waiting.set(key, show);
    return;
  }
  const [now, shown] = [performance.now(), shownAt.get(key)];
  if (shown !== undefined && now - shown < BEAT_MS) {
    waiting.set(key, show);
    beat ??= setTimeout(showWaiting, untilBeat());
  } else {
    waiting.delete(key);
    shownAt.set(key, now);
    show();
  }
}

/** What waits under this key is older than what somebody has just been shown. */
export function overtake(key: string | symbol): void {
  waiting.delete(key);
}

/** All in one picture. */
function showWaiting(): void {
  clearTimeout(beat);
  beat = undefined;
  if (heldBack.value !== undefined) return;
  const [all, now] = [[...waiting], performance.now()];
  waiting.clear();
  shownAt.clear();
  batch(() => {
    for (const [key, show] of all) {
      shownAt.set(key, now);
      show();
    }
  });
}

export function hold(still: boolean): void {
  heldBack.value = still ? 0 : undefined;
  if (!still) showWaiting();
}

let unfollow = (): void => undefined;

/** Begins anew, for the project that is chosen now. `onRefused` hears why nothing comes. */
export function follow(onRefused: (refused: Refused) => void): void {
  unfollow();
  // What was held back belongs to the project before.
  waiting.clear();
  hold(false);
  [newestRuns.value, sums.value] = [undefined, undefined];
  whenStreamChanges({ connection: showConnection, refused: onRefused });
  const project = chosenProject();
  const runs = followRuns(project, (all) => deliver("runs", () => (newestRuns.value = all)));
  const unlisten = listenTo<OverviewFrame>(project === null ? "overview" : `overview:${project}`, (frame) => {
    runs.take(frame);
    takeSums(frame);
  });
  unfollow = () => {
    unlisten();
    runs.close();
  };
}

/** A new sample alone comes every second, and is no news to those who hold them. */
function takeSums({ fleet, queue, trouble, diskLeft, sample }: OverviewFrame): void {
  const now: Sums = {
    fleet,
    queue,
    ...(trouble === undefined ? {} : { trouble }),
    ...(diskLeft === undefined ? {} : { diskLeft }),
    ...(sample === undefined ? {} : { sample }),
  };
  const before = sums.peek();
  const text = (all: Sums): string => JSON.stringify([all.fleet, all.queue, all.trouble, all.diskLeft !== undefined]);
  if (before === undefined || text(before) !== text(now)) deliver("sums", () => (sums.value = now));
  else if (heldBack.value === undefined) sums.value = now;
}

function showConnection(now: Connection): void {
  connection.value = now;
  document.documentElement.dataset["live"] = String(now.kind === "live");
}
