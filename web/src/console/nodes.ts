/** The table of a run's nodes. Rows are made once and then updated in place. */

import type { NodeView } from "../api/types.gen.ts";
import { make, setText } from "../dom.ts";
import { counted, jobs } from "./format.ts";
import { makeBadge, setBadge, setBar } from "./parts.ts";

/** A document may have 100,000 nodes; a page of them helps nobody. */
const SHOWN_NODES = 500;

interface Row {
  readonly element: HTMLTableRowElement;
  readonly update: (node: NodeView) => void;
}

export interface NodeTable {
  readonly element: HTMLElement;
  readonly update: (nodes: readonly NodeView[]) => void;
}

export function makeNodeTable(): NodeTable {
  const rows = new Map<string, Row>();
  const body = make("tbody");
  const more = make("p", { class: "muted" });
  const update = (nodes: readonly NodeView[]): void => {
    for (const node of nodes.slice(0, SHOWN_NODES)) {
      let row = rows.get(node.id);
      if (row === undefined) {
        row = makeRow(node);
        rows.set(node.id, row);
        body.append(row.element);
      }
      row.update(node);
    }
    more.hidden = nodes.length <= SHOWN_NODES;
    setText(more, `and ${counted(nodes.length - SHOWN_NODES, "node")} more`);
  };
  const element = make("div", { class: "table" }, make("table", { class: "nodes" }, makeHead(), body), more);
  return { element, update };
}

function makeHead(): HTMLTableSectionElement {
  const names = ["Node", "Kind", "State", "Jobs", "Path"];
  return make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name))));
}

function makeRow(node: NodeView): Row {
  const badge = makeBadge();
  const bar = make("progress", { "aria-label": `Jobs of ${node.id}` });
  const done = make("span", { class: "muted" });
  const element = make(
    "tr",
    { "data-node": node.id },
    make("th", { scope: "row" }, node.id),
    make("td", { class: "node-kind muted" }, node.kind),
    make("td", { class: "node-state" }, badge),
    make("td", { class: "node-jobs" }, bar, done),
    make("td", { class: "node-path" }, makePath(node.path)),
  );
  const update = (now: NodeView): void => {
    setBadge(badge, now.state);
    bar.hidden = now.jobs === null;
    if (now.jobs === null) return;
    setBar(bar, now.jobs);
    setText(done, jobs(now.jobs));
  };
  return { element, update };
}

/** A path that may break after each of its parts. */
function makePath(path: string): HTMLElement {
  const parts = path.split("/").flatMap((part, index) => (index === 0 ? [part] : ["/", make("wbr"), part]));
  return make("code", {}, ...parts);
}
