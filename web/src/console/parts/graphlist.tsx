/** The facts of a graph without its picture: a table of all that is drawn, and for phones a list of its layers. */

import type { GraphItem } from "../../api/types.gen.ts";
import { now } from "../app/clock.ts";
import type { Facts, Part } from "../graph/facts.ts";
import { counts as countsText, nameOf, timeText } from "../graph/look.ts";
import type { Scene, SceneItem } from "../graph/scene.ts";
import { type Column, Table } from "../table/table.tsx";
import { count } from "../words/format.ts";
import { GRAPH } from "../words/graphtext.ts";
import { StateMark } from "./state.tsx";

interface Shown {
  readonly scene: Scene;
  readonly facts: Facts;
  readonly choose: (node: string) => void;
  readonly open: (item: SceneItem) => void;
}

/** Names of neighbours that a row tells; the others are counted. */
const MAX_NAMES = 5;

interface Row {
  readonly item: SceneItem;
  readonly time: string;
  readonly from: string;
  readonly to: string;
}

export function GraphTable({ scene, facts, open }: Shown) {
  const rows = rowsOf(scene, facts);
  const columns: readonly Column<Row>[] = [
    { id: "name", head: GRAPH.columns.name, cell: ({ item }) => <Name look="look" item={item} open={open} /> },
    { id: "kind", head: GRAPH.columns.kind, cell: ({ item }) => GRAPH.kinds[item.kind] },
    { id: "layer", head: GRAPH.columns.layer, cell: ({ item }) => count(item.layer + 1) },
    { id: "state-cell", head: GRAPH.columns.state, cell: ({ item }) => <Stand item={item} facts={facts} /> },
    { id: "time", head: GRAPH.columns.time, cell: ({ time }) => time },
    { id: "from", head: GRAPH.columns.from, cell: ({ from }) => from },
    { id: "to", head: GRAPH.columns.to, cell: ({ to }) => to },
  ];
  const keyOf = ({ item }: Row): string => item.key;
  const marks = ({ item }: Row) => ({ "data-node": item.id });
  return <Table id="graph-rows" label={GRAPH.table} columns={columns} rows={rows} keyOf={keyOf} marks={marks} />;
}

function rowsOf({ items, edges }: Scene, facts: Facts): readonly Row[] {
  const [from, to] = [items.map((): string[] => []), items.map((): string[] => [])];
  for (const edge of edges) {
    const [begin, end] = [items[edge.from], items[edge.to]];
    if (begin === undefined || end === undefined) continue;
    from[edge.to]?.push(nameOf(begin));
    to[edge.from]?.push(nameOf(end));
  }
  const timeOf = (item: GraphItem): string => {
    const span = facts.timeOf(item);
    return span === undefined ? GRAPH.none : timeText(span, now.value);
  };
  return items.map((item, at) => ({ item, time: timeOf(item), from: names(from[item.inside ?? at]), to: names(to[item.inside ?? at]) }));
}

function names(all: readonly string[] = []): string {
  if (all.length === 0) return GRAPH.none;
  const more = all.length - MAX_NAMES;
  return [...all.slice(0, MAX_NAMES), ...(more > 0 ? [`+${count(more)}`] : [])].join(", ");
}

interface Named {
  readonly item: SceneItem;
  readonly open: (item: SceneItem) => void;
  /** In a table it stands for its row, and keys lead from one to the next. */
  readonly look: "look" | "link";
}

function Name({ item, open, look }: Named) {
  return (
    <button
      class={look}
      type="button"
      title={look === "look" ? nameOf(item) : undefined}
      aria-expanded={item.count > 1 ? item.open : undefined}
      onClick={() => open(item)}
    >
      {nameOf(item)}
    </button>
  );
}

function Stand({ item, facts }: { readonly item: GraphItem; readonly facts: Facts }) {
  const mark = facts.markOf(item);
  if (mark === undefined) return <>{GRAPH.none}</>;
  const parts = facts.partsOf(item);
  if (parts.length === 0) return <StateMark mark={mark} />;
  return (
    <span class="muted" title={countsText(parts)}>
      {countsText(parts)}
    </span>
  );
}

interface Layers extends Shown {
  readonly counts: readonly number[];
  /** Those that are open. */
  readonly opened: readonly number[];
  readonly setOpened: (layers: readonly number[]) => void;
  /** Brings the items of a layer that are not here. */
  readonly seek: (layer: number) => void;
}

export function LayerList({ scene, counts, facts, open, seek, opened, setOpened }: Layers) {
  const turn = (layer: number, isOpen: boolean): void => {
    // A browser tells as well what was open from the start, and may be here without its items.
    if (isOpen !== opened.includes(layer)) setOpened(isOpen ? [...opened, layer] : opened.filter((other) => other !== layer));
    if (isOpen && !scene.items.some((item) => item.layer === layer)) seek(layer);
  };
  return (
    <div class="graph-layers">
      {counts.map((nodes, layer) => (
        <Layer key={layer} {...{ layer, nodes, scene, facts, open, turn }} isOpen={opened.includes(layer)} />
      ))}
    </div>
  );
}

interface OneLayer extends Omit<Shown, "choose"> {
  readonly layer: number;
  readonly nodes: number;
  readonly isOpen: boolean;
  readonly turn: (layer: number, isOpen: boolean) => void;
}

/** Closed, it costs a line: there may be a hundred thousand. */
function Layer({ layer, nodes, scene, facts, open, isOpen, turn }: OneLayer) {
  const parts = facts.partsOfLayer(layer);
  const items = isOpen ? scene.items.filter((item) => item.layer === layer) : [];
  return (
    <details data-layer={layer} open={isOpen} onToggle={({ currentTarget }) => turn(layer, currentTarget.open)}>
      <summary>
        <span>{GRAPH.layer(layer, nodes)}</span>
        <Parts parts={parts} />
      </summary>
      <ul>
        {items.map((item) => (
          <li key={item.key} data-node={item.id}>
            <Name look="link" item={item} open={open} />
            <Stand item={item} facts={facts} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Parts({ parts }: { readonly parts: readonly Part[] }) {
  if (parts.length === 0) return null;
  return (
    <>
      <span class="segments" aria-hidden="true">
        {parts.map(({ shape, share }) => (
          <span key={shape} data-shape={shape} style={{ width: `${share * 100}%` }} />
        ))}
      </span>
      <small class="muted">{countsText(parts)}</small>
    </>
  );
}
