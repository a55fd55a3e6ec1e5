/**
 * The list of runs and the line about the fleet. Updates rows in place, so that focus and scrolling stay where they are.
 *
 * The newest runs come by themselves; earlier ones are asked for page by page, and stay as they were told.
 */

import { listRunsBefore } from "../api/client.ts";
import type { Fleet, RunSummary } from "../api/types.gen.ts";
import { byId, make, setText } from "../dom.ts";
import { fleetLine } from "./devicetext.ts";
import { listedDoubts } from "./doubts.ts";
import { age, jobs } from "./format.ts";
import { makeBadge, setBar, setRunBadge, showProblem } from "./parts.ts";
import { runAddress } from "./route.ts";

interface Row {
  readonly item: HTMLLIElement;
  readonly update: (run: RunSummary, now: number) => void;
}

/** As many as come by themselves: where there are fewer, there are no earlier ones. */
const NEWEST = 200;

const rows = new Map<string, Row>();
let newest: readonly RunSummary[] = [];
let earlier: readonly RunSummary[] = [];
/** Whether earlier ones have been asked for. */
let paged = false;
/** Whether there are runs before the last one that is shown. */
let more = false;
/** How often all was forgotten: an answer that was on its way then is of no use. */
let forgotten = 0;

/** Shows nothing until the next news: what is shown belongs to another project. */
export function forgetRuns(): void {
  [newest, earlier, paged, more] = [[], [], false, false];
  forgotten += 1;
  paint();
  // Whether there are none is not known yet.
  byId("no-runs", HTMLElement).hidden = true;
}

export function showRuns(runs: readonly RunSummary[]): void {
  if (paged) earlier = withPushedOut(runs, newest, earlier);
  else more = runs.length >= NEWEST;
  newest = runs;
  paint();
}

/** What newer runs push out of the list of the newest goes in front of the earlier ones. */
export function withPushedOut(
  now: readonly RunSummary[],
  before: readonly RunSummary[],
  earlierRuns: readonly RunSummary[],
): readonly RunSummary[] {
  const last = now.at(-1)?.id ?? "";
  return [...before.filter((run) => run.id < last), ...earlierRuns];
}

/** The button below the list brings the page behind what is shown. */
export function prepareEarlier(): void {
  const [button, problem] = [byId("earlier-runs", HTMLButtonElement), byId("earlier-problem", HTMLElement)];
  button.addEventListener("click", () => {
    const last = [...newest, ...earlier].at(-1);
    if (last === undefined) return;
    const before = forgotten;
    paged = true;
    button.disabled = true;
    listRunsBefore(last.id)
      .then(({ runs, next }) => {
        if (before !== forgotten) return;
        [earlier, more] = [[...earlier, ...runs], next !== null];
        problem.replaceChildren();
        paint();
      })
      .catch((refused: unknown) => {
        showProblem(problem, refused);
      })
      .finally(() => {
        button.disabled = false;
      });
  });
}

function paint(): void {
  const runs = [...newest, ...earlier];
  const list = byId("runs", HTMLElement);
  const now = Date.now();
  const kept = new Set(runs.map((run) => run.id));
  for (const [id, row] of rows) {
    if (kept.has(id)) continue;
    row.item.remove();
    rows.delete(id);
  }
  runs.forEach((run, index) => {
    const row = rows.get(run.id) ?? addRow(run.id);
    row.update(run, now);
    if (list.children[index] !== row.item) list.insertBefore(row.item, list.children[index] ?? null);
  });
  byId("no-runs", HTMLElement).hidden = runs.length > 0;
  byId("earlier-runs", HTMLElement).hidden = !more;
}

/** Brings the ages up to date. */
export function refreshAges(): void {
  const now = Date.now();
  for (const run of [...newest, ...earlier]) rows.get(run.id)?.update(run, now);
}

export function showFleet(fleet: Fleet): void {
  setText(byId("fleet", HTMLElement), fleetLine(fleet));
}

function addRow(id: string): Row {
  const name = make("strong", { class: "run-name" });
  const badge = makeBadge();
  const bar = make("progress", { "aria-label": "Jobs done" });
  const done = make("span", { class: "muted" });
  const when = make("time", { class: "muted run-age" });
  const link = make("a", { class: "card run", href: runAddress(id) }, name, badge, bar, done, when);
  const item = make("li", { "data-run": id }, link);
  const update = (run: RunSummary, now: number): void => {
    item.dataset["state"] = run.state;
    setText(name, run.name);
    setRunBadge(badge, run);
    const text = jobs(run.progress);
    setBar(bar, run.progress, text);
    setText(done, `${text}${listedDoubts(run.doubted ?? 0)}`);
    setText(when, age(run.createdAt, now));
    when.dateTime = new Date(run.createdAt).toISOString();
  };
  const row = { item, update };
  rows.set(id, row);
  return row;
}
