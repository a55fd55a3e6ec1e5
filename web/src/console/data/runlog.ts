/**
 * What the jobs of a run have logged, read from the first line on and, where somebody follows it, on as lines come.
 *
 * Owns asking for it. Pages of the server may be empty although more follow.
 */

import { type ReadonlySignal, signal } from "@preact/signals";
import { readRunLog } from "../../api/client.ts";
import type { LogView } from "../../api/types.gen.ts";
import { whileVisible } from "../live/visible.ts";

/** Attempts that one press of the button brings. */
const PAGE = 200;
/** Pages that are looked at for them. */
const MOST_LOOKS = 20;
const EVERY_MS = 2000;

/** `text`: the server is asked for entries that have it somewhere; `follows`: what comes is asked for as well. */
export function watchLog(run: string, text: string, follows: ReadonlySignal<boolean>) {
  const logs = signal<readonly LogView[] | undefined>(undefined);
  /** Whether there is more than was read. */
  const more = signal(false);
  const busy = signal(false);
  const problem = signal<unknown>(undefined);
  /** When it was asked, in milliseconds since 1970. */
  const since = signal(0);
  let end: string | null = null;

  async function extend(): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    try {
      await read();
      [problem.value, since.value] = [undefined, Date.now()];
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy.value = false;
    }
  }
  async function read(): Promise<void> {
    const found: LogView[] = [];
    for (let looks = 0; looks < MOST_LOOKS && found.length < PAGE; looks++) {
      const page = await readRunLog(run, text, end, PAGE - found.length);
      found.push(...page.logs);
      end = page.end;
      more.value = page.next !== null;
      if (!more.value) break;
    }
    if (found.length > 0 || logs.value === undefined) logs.value = [...(logs.value ?? []), ...found];
  }
  const watch = whileVisible(EVERY_MS, async () => {
    if (logs.value === undefined || follows.value) await extend();
  });
  return { logs, more, busy, problem, since, extend, now: watch.now, stop: watch.stop };
}

export type WatchedLog = ReturnType<typeof watchLog>;

/** Attempts, each with those of its lines that have this text in them; with all of them where its path or worker has. */
export function fitting(logs: readonly LogView[], text: string): readonly LogView[] {
  const sought = text.trim().toLowerCase();
  if (sought === "") return logs;
  return logs.flatMap((entry) => {
    if ([entry.path, entry.worker].some((told) => told.toLowerCase().includes(sought))) return [entry];
    const lines = entry.log.split("\n").filter((line) => line.toLowerCase().includes(sought));
    return lines.length === 0 ? [] : [{ ...entry, log: lines.join("\n") }];
  });
}
