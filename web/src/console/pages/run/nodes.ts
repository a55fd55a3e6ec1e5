/**
 * The table of a run's nodes. Rows are made once; an update touches only those whose node has changed, for there may be
 * a thousand of them, and four updates a second.
 */

import type { NodeView, Progress } from "../../../api/types.gen.ts";
import { make, setText } from "../../../dom.ts";
import { jobs } from "../../words/format.ts";
import { showBar } from "../../parts/bar.tsx";
import { showState } from "../../parts/state.tsx";
import { rove, rowOf } from "../../table/rove.ts";
import { NODE } from "../../words/node.ts";
import { PARTS } from "../../words/parts.ts";
import { nodeMark } from "../../words/states.ts";
import { WHY } from "../../words/why.ts";

/** `/user/rootSupervisor/run_..` (thesis 3.4.2). */
const RUN_PARTS = 4;

interface Row {
  readonly element: HTMLTableRowElement;
  readonly update: (node: NodeView, paused: boolean) => void;
}

interface NodeTable {
  readonly element: HTMLElement;
  /** `all` is how many nodes the run has, listed or not; `paused`: what is queued is held. */
  readonly update: (nodes: readonly NodeView[], all: number, paused: boolean) => void;
}

/** `open` is told the id of a node whose value somebody wants to see, `why` of one that somebody asks about. */
export function makeNodeTable(open: (node: string) => void, why: (node: string) => void): NodeTable {
  const rows = new Map<string, Row>();
  const stop = makeStop(rows);
  const body = make("tbody", { role: "rowgroup" });
  body.addEventListener("focusin", ({ target }) => stop.hear(target));
  const more = make("p", { class: "muted", id: "more-nodes" });
  const update = (nodes: readonly NodeView[], all: number, paused: boolean): void => {
    const before = rows.size;
    for (const node of nodes) {
      let row = rows.get(node.id);
      if (row === undefined) {
        row = makeRow(node, open, why);
        rows.set(node.id, row);
        body.append(row.element);
      }
      row.update(node, paused);
    }
    if (rows.size !== before) stop.set();
    more.hidden = all <= nodes.length;
    setText(more, NODE.first(nodes.length, all));
  };
  return { element: make("div", {}, make("table", { class: "nodes", role: "table" }, makeHead(), body), more), update };
}

/** One stop of the tabulator: where the focus was last. There may be a thousand rows, and two of them change. */
function makeStop(rows: ReadonlyMap<string, Row>) {
  let here: string | undefined;
  const set = (): void =>
    rove(
      [...rows.values()].map(({ element }) => element),
      here,
    );
  const hear = (target: EventTarget | null): void => {
    const row = rowOf(target)?.dataset["row"];
    if (row === undefined || row === here) return;
    const [first] = rows.keys();
    const changed = [here ?? first, row].flatMap((id) => rows.get(id ?? "")?.element ?? []);
    here = row;
    rove(changed, here);
  };
  return { set, hear };
}

// The rows are no table for the layout, which would measure all of them again whenever one changes. Roles keep it one
// for those who do not see it.
function makeHead(): HTMLTableSectionElement {
  const { name: node, kind, state, jobs: below, path } = NODE.columns;
  const heads = [node, kind, state, below, path].map((name) => make("th", { role: "columnheader", scope: "col" }, name));
  return make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads));
}

function makeRow(node: NodeView, open: (node: string) => void, why: (node: string) => void): Row {
  const state = makeCell("node-state");
  const name = make("button", { class: "link look", type: "button", title: NODE.valueOf(node.id) }, node.id);
  name.addEventListener("click", () => open(node.id));
  const label = { "aria-label": WHY.label(node.id), "aria-haspopup": "dialog" };
  const ask = make("button", { class: "link why-button", type: "button", ...label }, WHY.button);
  ask.addEventListener("click", () => why(node.id));
  const work = makeJobs(node.id);
  const element = make(
    "tr",
    { class: "row", "data-node": node.id, "data-row": node.id, role: "row" },
    make("th", { scope: "row", role: "rowheader" }, name, ask),
    makeCell("node-kind muted", node.kind),
    state,
    work.element,
    makeCell("node-path", make("code", { title: node.path }, inRun(node.path))),
  );
  let [shown, wasPaused] = [undefined as NodeView | undefined, false];
  const update = (now: NodeView, paused: boolean): void => {
    const isOther = paused !== wasPaused;
    if (isOther || now.state !== shown?.state) {
      ask.hidden = now.state === "FINISHED";
      element.dataset["state"] = now.state;
      showState(state, nodeMark(now.state, paused));
    }
    if (now.jobs !== null && (isOther || !equal(now.jobs, shown?.jobs))) work.update(now.jobs, paused);
    [shown, wasPaused] = [now, paused];
  };
  return { element, update };
}

/** Empty, and taking no room on a narrow screen, until there are jobs below the node. */
function makeJobs(id: string): { element: HTMLElement; update: (progress: Progress, paused: boolean) => void } {
  const element = makeCell("node-jobs none");
  const bar = make("span");
  const done = make("span", { class: "muted" });
  const update = (progress: Progress, paused: boolean): void => {
    if (bar.parentElement === null) element.append(bar, done);
    element.classList.remove("none");
    const text = jobs(progress);
    showBar(bar, { progress, paused, label: PARTS.jobsOf(id), text });
    setText(done, text);
  };
  return { element, update };
}

function makeCell(names: string, ...children: (Node | string)[]): HTMLTableCellElement {
  return make("td", { class: names, role: "cell" }, ...children);
}

/** A node's path without the part of its run, which is the same for all. */
export function inRun(path: string): string {
  return path.split("/").slice(RUN_PARTS).join("/");
}

const COUNTS = ["total", "queued", "running", "done", "failed", "answered", "reused"] as const;

/** Whether text and bar of both are the same. */
export function equal(now: Progress, before: Progress | null | undefined): boolean {
  return before != null && COUNTS.every((count) => (now[count] ?? 0) === (before[count] ?? 0));
}
