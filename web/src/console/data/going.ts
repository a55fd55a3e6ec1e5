/**
 * All runs that go on: those among the newest, which come by themselves, and older ones, which the server is asked for as soon as as many
 * runs are kept as ever are.
 *
 * Owns asking for the older ones. Never touches the DOM.
 */

import { computed, effect, signal } from "@preact/signals";
import { listRuns } from "../../api/client.ts";
import { Refusal } from "../../api/request.ts";
import type { RunPage, RunSummary } from "../../api/types.gen.ts";
import { NEWEST } from "../live/newest.ts";
import { newestRuns } from "../live/news.ts";
import { whileVisible } from "../live/visible.ts";

const EVERY_MS = 10_000;
/** More of them are counted by nobody. */
const MOST = 200;

type Runs = readonly RunSummary[];

const NO_OLDER: Pick<RunPage, "runs" | "next"> = { runs: [], next: null };

export function watchGoing() {
  const older = signal(NO_OLDER);
  const isFull = computed(() => (newestRuns.value?.length ?? 0) >= NEWEST);

  async function look(): Promise<void> {
    const last = newestRuns.peek()?.at(-1)?.id ?? null;
    try {
      older.value = await listRuns({ state: "STARTED", workflow: null }, last, MOST);
    } catch (refused) {
      // What was known stays: the live mark says that the server is away.
      if (!(refused instanceof Refusal)) throw refused;
    }
  }
  const close = effect(() => (isFull.value ? whileVisible(EVERY_MS, look).stop : undefined));
  const runs = computed(() => goingOn(newestRuns.value ?? [], isFull.value ? older.value.runs : []));
  /** Whether there are more than are known. */
  const more = computed(() => isFull.value && older.value.next !== null);
  return { runs, more, close };
}

/** The newest first. Which of the newest go on is told by the stream, and by nothing that was asked before it. */
export function goingOn(newest: Runs, older: Runs): Runs {
  const last = newest.at(-1)?.id ?? "";
  return [...newest, ...older.filter(({ id }) => id < last)].filter(({ state }) => state === "STARTED");
}

/** So many of them, those that go on in front: `going` of all runs, then the newest of the others. */
export function foremost(going: Runs, newest: Runs, most: number): Runs {
  return [...going, ...newest.filter(({ state }) => state !== "STARTED")].slice(0, most);
}
