/**
 * A list of runs: the newest come by themselves, earlier ones are asked for page by page, and stay as they were told.
 *
 * Owns what was asked. Never touches the DOM.
 */

import { computed, effect, signal } from "@preact/signals";
import { listRuns } from "../../api/client.ts";
import type { RunState, RunSummary } from "../../api/types.gen.ts";
import { NEWEST } from "../live/newest.ts";
import { newestRuns } from "../live/news.ts";

export interface RunFilter {
  readonly state: RunState | null;
  /** Content hash. */
  readonly workflow: string | null;
  /** How its id begins, or where no id begins so, its name; empty: any. */
  readonly q: string;
  /** As the server calls it. */
  readonly sort: RunSort;
}

/** The newest first, the oldest first, by name. */
export type RunSort = "-created" | "created" | "name";

/** Where somebody looks for some of the runs, the server is asked at once; otherwise only for earlier ones than come by themselves. */
export function makeRunList(filter: RunFilter) {
  const filtered = filter.state !== null || filter.workflow !== null || filter.q !== "" || filter.sort !== USUAL;
  const earlier = signal<readonly RunSummary[]>([]);
  /** The page behind what is shown; `null`: there is none; `undefined`: not known. */
  const next = signal<string | null | undefined>(undefined);
  const busy = signal(false);
  const problem = signal<unknown>(undefined);
  /** When it was told of last, in milliseconds since 1970. */
  const since = signal(0);
  let before: readonly RunSummary[] = [];
  let closed = false;

  const unfollow = effect(() => {
    const now = newestRuns.value ?? [];
    // Without a page that was asked for, what falls out of the newest comes again with the next page.
    if (next.peek() !== undefined) earlier.value = withPushedOut(now, before, earlier.peek());
    [before, since.value] = [now, Date.now()];
  });
  const more = computed(() => (next.value === undefined ? !filtered && (newestRuns.value?.length ?? 0) >= NEWEST : next.value !== null));
  const rows = computed(() => listed(newestRuns.value ?? [], earlier.value, filter, more.value));

  async function load(): Promise<void> {
    if (busy.value) return;
    [busy.value, problem.value] = [true, undefined];
    const after = next.value ?? (filtered ? null : (rows.value.at(-1)?.id ?? null));
    try {
      const page = await listRuns({ ...filter, q: filter.q === "" ? null : filter.q }, after);
      if (closed) return;
      [earlier.value, next.value, since.value] = [followedBy(earlier.value, page.runs), page.next, Date.now()];
    } catch (refused) {
      problem.value = refused;
    } finally {
      busy.value = false;
    }
  }
  function close(): void {
    closed = true;
    unfollow();
  }

  if (filtered) void load();
  /** Whether anything is known of it. */
  const known = computed(() => (filtered ? next.value !== undefined : newestRuns.value !== undefined));
  return { rows, more, busy, problem, since, known, load, close };
}

export type RunList = ReturnType<typeof makeRunList>;

/**
 * The newest and the earlier ones that are not among them; as far as they fit, in the order in which the server lists them. Where there are
 * `more` in an order of their own, what belongs behind the last that is known is left to the next page.
 */
export function listed(
  newest: readonly RunSummary[],
  earlier: readonly RunSummary[],
  filter: RunFilter,
  more = false,
): readonly RunSummary[] {
  const ids = new Set(newest.map((run) => run.id));
  const fits = ({ state, workflow }: RunSummary): boolean =>
    (filter.state === null || state === filter.state) && (filter.workflow === null || workflow === filter.workflow);
  const all = [...newest, ...earlier.filter((run) => !ids.has(run.id))].filter(fits);
  const { found, order } = sought(all, filter);
  if (order === undefined) return found;
  const last = more ? earlier.at(-1) : undefined;
  return found.filter((run) => last === undefined || order(run, last) <= 0).sort(order);
}

type Compare = (one: RunSummary, other: RunSummary) => number;

/** Those that are looked for, and what they are put in order by; `undefined`: they are in order. */
function sought(all: RunSummary[], { q, sort }: RunFilter): { readonly found: RunSummary[]; readonly order: Compare | undefined } {
  const byAge = sort === USUAL ? undefined : oldestFirst;
  if (q === "") return { found: all, order: sort === "name" ? byName : byAge };
  const isId = sort !== "name" && q.length > OF_EVERY_ID.length;
  const called = isId ? all.filter(({ id }) => id.startsWith(q)) : [];
  if (called.length > 0) return { found: called, order: byAge };
  return { found: all.filter(({ name }) => name.startsWith(q)), order: byName };
}

const USUAL: RunSort = "-created";
/** Where somebody writes no more of an id, it is taken for a name. */
const OF_EVERY_ID = "run_";

/** Letter by letter, the newest of each name first. */
function byName(one: RunSummary, other: RunSummary): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return -oldestFirst(one, other);
}

/** Ids grow. */
function oldestFirst(one: RunSummary, other: RunSummary): number {
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}

/** What newer runs push out of the list of the newest goes in front of the earlier ones, unless it is there: a page may have had it. */
export function withPushedOut(
  now: readonly RunSummary[],
  before: readonly RunSummary[],
  earlierRuns: readonly RunSummary[],
): readonly RunSummary[] {
  const last = now.at(-1)?.id ?? "";
  return followedBy(
    before.filter((run) => run.id < last),
    earlierRuns,
  );
}

/** Those of a page behind those that were there, each once. */
function followedBy(runs: readonly RunSummary[], page: readonly RunSummary[]): readonly RunSummary[] {
  const ids = new Set(page.map((run) => run.id));
  return [...runs.filter((run) => !ids.has(run.id)), ...page];
}
