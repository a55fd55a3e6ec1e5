/** One run, live until it has ended. Owns its stream of events. Never asks for anything but this run. */

import { signal } from "@preact/signals";
import { getRun, runEventsPath } from "../../api/client.ts";
import type { RunView } from "../../api/types.gen.ts";
import { listen } from "../live/listen.ts";
import { deliver } from "../live/news.ts";
import { isOver } from "../words/format.ts";

export function watchRun(id: string) {
  const view = signal<RunView | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  let closed = false;
  let unfollow: (() => void) | undefined;

  /** What comes after the end was on its way before it. */
  function show(now: RunView): void {
    if (closed) return;
    view.value = now;
    if (isOver(now.summary.state)) close();
  }
  function close(): void {
    closed = true;
    unfollow?.();
  }
  async function load(): Promise<void> {
    problem.value = undefined;
    try {
      show(await getRun(id));
    } catch (refused) {
      problem.value = refused;
      return;
    }
    if (!closed)
      unfollow = listen(runEventsPath(id), { run: (data) => deliver(`run ${id}`, () => show(data as RunView)) }, () => undefined);
  }

  void load();
  return { view, problem, load, show, close };
}

export type WatchedRun = ReturnType<typeof watchRun>;
