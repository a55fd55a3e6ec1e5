/** All nodes of a run as a table, however many there are: filtered by the server, live by their octets. Filters stand in the address. */

import "./node.css";
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { NodeFilter } from "../../../api/client.ts";
import { explainNode } from "../../../api/explain.ts";
import { STATES } from "../../../api/nodestates.ts";
import type { NodeKind, NodeRow, NodeState, RunView } from "../../../api/types.gen.ts";
import { make, setText } from "../../../dom.ts";
import { routeOf, runNodeAddress } from "../../app/routes.ts";
import { replaceQuery } from "../../app/where.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { type NodeList, makeNodeList } from "../../data/nodes.ts";
import { isPaused } from "../../data/run.ts";
import { runStates } from "../../data/states.ts";
import { markOfCode } from "../../graph/facts.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { NothingFits } from "../../parts/filter.tsx";
import { OrderChoice } from "../../parts/orderchoice.tsx";
import { orderOf } from "../../parts/orders.ts";
import { showState } from "../../parts/state.tsx";
import { openWhy } from "../../parts/why.tsx";
import { Peekable, usePeeks } from "../../table/peek.tsx";
import { WindowTable } from "../../table/window.ts";
import { jobs } from "../../words/format.ts";
import { GRAPH } from "../../words/graphtext.ts";
import { NODE, NODE_SORTS } from "../../words/node.ts";
import { type Peek, nodePeek } from "../../words/peek.ts";
import { type Mark, nodeMark } from "../../words/states.ts";
import { WHY } from "../../words/why.ts";

/** Kinds that a node by itself has: parts of a pool are told of with it. */
const KINDS: readonly NodeKind[] = ["value", "job", "pool"];
const LIST = "all-nodes";
/** Until somebody has stopped typing. */
const TYPED_MS = 150;

interface Filter {
  readonly q: string;
  readonly state: string;
  readonly kind: string;
  readonly sort: string;
}

export function RunNodes({ view: { summary } }: { readonly view: RunView }) {
  const first = useMemo(() => filterIn(routeOf(location.hash).query), []);
  const filter = useSignal(first);
  const asked = useSignal(first);
  useSignalEffect(() => {
    const now = filter.value;
    replaceQuery({ ...now, sort: now.sort === NODE_SORTS[0].key ? "" : now.sort });
    const timer = setTimeout(() => (asked.value = now), TYPED_MS);
    return () => clearTimeout(timer);
  });
  const { q, state, kind, sort } = asked.value;
  const clear = (): void => {
    filter.value = { ...filter.value, q: "", state: "", kind: "" };
  };
  return (
    <section class="nodes-tab">
      <Filters filter={filter} />
      <Listed key={`${state} ${kind} ${sort} ${q}`} run={summary.id} fits={fitsOf(asked.value)} clear={clear} />
    </section>
  );
}

/** What an address names and nobody knows is not asked for. */
function filterIn(query: URLSearchParams): Filter {
  const among = (name: string, known: readonly string[]): string => known.find((one) => one === query.get(name)) ?? "";
  return {
    q: query.get("q") ?? "",
    state: among("state", STATES),
    kind: among("kind", KINDS),
    sort: orderOf(NODE_SORTS, query.get("sort") ?? "").key,
  };
}

function fitsOf({ q, state, kind, sort }: Filter): NodeFilter {
  return {
    sort,
    ...(q.trim() === "" ? {} : { q: q.trim() }),
    ...(state === "" ? {} : { state: state as NodeState }),
    ...(kind === "" ? {} : { kind: kind as NodeKind }),
  };
}

function Filters({ filter }: { readonly filter: Signal<Filter> }) {
  const set = (change: Partial<Filter>): void => {
    filter.value = { ...filter.value, ...change };
  };
  const { q, state, kind, sort } = filter.value;
  return (
    <form class="filter-bar" role="search" aria-label={NODE.filter} onSubmit={(event) => event.preventDefault()}>
      <label for="node-q">{NODE.name}</label>
      <input
        class="field"
        id="node-q"
        type="search"
        autocomplete="off"
        value={q}
        onInput={(event) => set({ q: event.currentTarget.value })}
      />
      <label for="node-state">{NODE.state}</label>
      <select class="field" id="node-state" value={state} onChange={(event) => set({ state: event.currentTarget.value })}>
        <option value="">{NODE.any}</option>
        {STATES.map((one) => (
          <option key={one} value={one}>
            {nodeMark(one).word}
          </option>
        ))}
      </select>
      <label for="node-kind">{NODE.kind}</label>
      <select class="field" id="node-kind" value={kind} onChange={(event) => set({ kind: event.currentTarget.value })}>
        <option value="">{NODE.any}</option>
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {GRAPH.kinds[one]}
          </option>
        ))}
      </select>
      <OrderChoice id="node-sort" orders={NODE_SORTS} now={sort} choose={(key) => set({ sort: key })} />
    </form>
  );
}

interface Shown {
  readonly run: string;
  readonly fits: NodeFilter;
  readonly clear: () => void;
}

function Listed({ run, fits, clear }: Shown) {
  const list = useMemo(() => makeNodeList(run, fits), []);
  const { rows, problem, since, count, again } = list;
  const failed = problem.value !== undefined && (
    <Failed problem={problem.value} retry={again} shownSince={rows.value === undefined ? undefined : since.value} />
  );
  const text = rows.value === undefined ? "" : NODE.loaded(rows.value.length, count.value);
  useAnnounced(text, text);
  if (rows.value === undefined) return failed || <Loading />;
  if (rows.value.length === 0) return failed || <NothingFits noun={NODE.noun} words={NODE.noneWords} clear={clear} />;
  return (
    <section class="nodes-tab" data-old={failed !== false}>
      {failed}
      <Body run={run} list={list} rows={rows.value} />
      <p class="muted counts" id="nodes-shown">
        {text}
      </p>
    </section>
  );
}

function Body({ run, list, rows }: { readonly run: string; readonly list: NodeList; readonly rows: readonly NodeRow[] }) {
  const place = useRef<HTMLDivElement>(null);
  const states = useMemo(() => runStates(run), []);
  const paused = useMemo(() => isPaused(run), []);
  const how = (): Standing => ({ octets: states.peek(), paused: paused.peek() });
  const table = useMemo(() => makeTable(run, how, list.extend), []);
  useLayoutEffect(() => place.current?.replaceChildren(table.element), []);
  useEffect(() => () => table.close(), []);
  const octets = states.value;
  useLayoutEffect(() => table.show(rows, list.count.value), [rows, octets, paused.value]);
  usePeeks(LIST, place, true);
  const tell = (id: string): Peek | undefined => {
    const row = rows.find((one) => one.id === id);
    return row && nodePeek(run, row, markOf(row, how()));
  };
  return (
    <Peekable list={LIST} tell={tell}>
      <div ref={place} />
    </Peekable>
  );
}

function makeTable(run: string, how: () => Standing, nearEnd: () => void): WindowTable<NodeRow> {
  return new WindowTable({
    id: LIST,
    label: NODE.list,
    mark: (row) => row.id,
    nearEnd,
    columns: [
      { id: "name", head: NODE.columns.name, fill: (cell, row) => fillName(cell, run, row) },
      { id: "kind", head: NODE.columns.kind, fill: (cell, row) => setText(cell, GRAPH.kinds[row.kind]) },
      { id: "state-cell", head: NODE.columns.state, fill: (cell, row) => fillState(cell, row, how()) },
      { id: "progress", head: NODE.columns.jobs, fill: (cell, row) => setText(cell, row.jobs === null ? "" : jobs(row.jobs)) },
      { id: "deeds", head: NODE.columns.why, fill: (cell, row) => fillWhy(cell, run, row, how()) },
    ],
  });
}

function fillName(cell: HTMLElement, run: string, { id }: NodeRow): void {
  const link = cell.querySelector("a") ?? make("a");
  link.setAttribute("href", runNodeAddress(run, id));
  setText(link, id);
  if (link.parentElement === null) cell.append(link);
}

/** How all nodes of the run stand. */
interface Standing {
  readonly octets: Uint8Array | undefined;
  readonly paused: boolean;
}

/** Its octet is newer than the row. */
function markOf({ place, state }: NodeRow, { octets, paused }: Standing): Mark | undefined {
  return markOfCode(octets?.[place], paused) ?? (state === null ? undefined : nodeMark(state, paused));
}

/** What has its value waits for nothing. */
function fillWhy(cell: HTMLElement, run: string, row: NodeRow, how: Standing): void {
  const button = cell.querySelector("button") ?? make("button", { class: "button small why-button", type: "button" }, WHY.button);
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-label", WHY.label(row.id));
  button.onclick = () => openWhy({ of: row.id, ask: () => explainNode(run, row.id) });
  button.hidden = markOf(row, how)?.shape === nodeMark("FINISHED").shape;
  if (button.parentElement === null) cell.append(button);
}

function fillState(cell: HTMLElement, row: NodeRow, how: Standing): void {
  const mark = markOf(row, how);
  if (cell.dataset["word"] === (mark?.word ?? "")) return;
  cell.dataset["word"] = mark?.word ?? "";
  if (mark === undefined) setText(cell, NODE.unknown);
  else showState(cell, mark);
}
