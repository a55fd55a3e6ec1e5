/** The nodes of a run that fit a filter, page after page, in document order. */

import { signal } from "@preact/signals";
import { type NodeFilter, listNodes } from "../../api/client.ts";
import type { NodeRow } from "../../api/types.gen.ts";

/** Rows of one page: as many as the server gives. */
const PAGE = 1000;

export function makeNodeList(run: string, fits: NodeFilter) {
  const rows = signal<readonly NodeRow[] | undefined>(undefined);
  /** How many there are in all, loaded or not. */
  const count = signal(0);
  const problem = signal<unknown>(undefined);
  /** When it was asked, in milliseconds since 1970. */
  const since = signal(0);
  let [next, busy]: [string | null, boolean] = [null, false];

  async function ask(after: string | null): Promise<void> {
    if (busy) return;
    [busy, problem.value] = [true, undefined];
    try {
      const page = await listNodes(run, fits, after, PAGE);
      const before = after === null ? [] : (rows.peek() ?? []);
      [rows.value, count.value, since.value, next] = [[...before, ...page.nodes], page.count, Date.now(), page.next];
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy = false;
    }
  }
  /** The page behind those that are there. */
  const extend = (): void => {
    if (next !== null) void ask(next);
  };
  const again = (): void => void ask(null);
  again();
  return { rows, count, problem, since, extend, again };
}

export type NodeList = ReturnType<typeof makeNodeList>;
