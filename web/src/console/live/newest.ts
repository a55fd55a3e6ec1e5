/**
 * The newest runs of a project: their list, asked for once, with what the stream tells on top of it.
 *
 * Never touches the DOM.
 */

import { ask } from "../../api/ask.ts";
import { Refusal } from "../../api/request.ts";
import { listRuns } from "../../api/routes.gen.ts";
import type { OverviewFrame, RunSummary } from "../../api/types.gen.ts";
import { pauseAfter } from "./pauses.ts";

/** As many as are kept here. */
export const NEWEST = 200;

type Runs = readonly RunSummary[];

/** Runs on top of others, and without those that are gone: the newest first. */
export function merged(known: Runs, changed: Runs, gone: readonly string[]): Runs {
  const all = new Map([...known, ...changed].map((run) => [run.id, run]));
  for (const id of gone) all.delete(id);
  return [...all.values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, NEWEST);
}

/** Hands on all of them whenever they change. */
export function followRuns(project: string | null, show: (runs: Runs) => void) {
  /** `undefined` until the list is there; what comes meanwhile waits in `changed` and `gone`. */
  let known: Runs | undefined;
  let changed: Runs = [];
  let gone: readonly string[] = [];
  let asked = 0;
  let tries = 0;

  async function load(): Promise<void> {
    asked += 1;
    const mine = asked;
    try {
      const { runs } = await ask(listRuns({ project, limit: NEWEST }));
      if (mine !== asked) return;
      tries = 0;
      known = merged(runs, changed, gone);
      show(known);
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
      // A stream that is lost begins anew by itself; until then it is tried again.
      tries += 1;
      setTimeout(() => mine === asked && void load(), pauseAfter(tries));
    }
  }

  function take({ whole = false, runs, gone: ended = [] }: OverviewFrame): void {
    if (whole) {
      [changed, gone] = [[], []];
      known = undefined;
      void load();
    }
    if (known === undefined) {
      [changed, gone] = [merged(changed, runs, []), [...gone, ...ended]];
    } else if (runs.length > 0 || ended.length > 0) {
      known = merged(known, runs, ended);
      show(known);
    }
  }

  return {
    take,
    close: () => {
      asked += 1;
    },
  };
}
