/** The workflow as it is drawn, layer after layer, in words: each node leads to its place in the text. */

import { EDITOR } from "../../words/editor.ts";
import type { GraphItem } from "../../../api/types.gen.ts";
import type { Outline, Place } from "../../editor/said.ts";
import { describe } from "../../editor/knowledge.ts";
import type { Session } from "./session.ts";

export function OutlineList({ session, pick }: { readonly session: Session; readonly pick: (at: Place) => void }) {
  const outline = session.findings.value?.outline;
  if (outline === undefined || outline === null) return null;
  const layers = layersOf(outline);
  return (
    <section class="outline" aria-labelledby="outline-title">
      <h2 id="outline-title">{EDITOR.outline}</h2>
      {layers.length === 0 && <p class="muted">{EDITOR.outlineNone}</p>}
      <ol>
        {layers.map((items, layer) => (
          <li key={layer} aria-label={EDITOR.layer(layer + 1)}>
            {items.map((item) => (
              <Item key={item.node} item={item} outline={outline} pick={pick} />
            ))}
          </li>
        ))}
      </ol>
      {outline.graph.cut !== null && <p class="muted">{EDITOR.cut(outline.graph.cut.items)}</p>}
    </section>
  );
}

function layersOf({ graph }: Outline): readonly (readonly GraphItem[])[] {
  const layers: GraphItem[][] = [];
  for (const item of graph.items) (layers[item.layer] ??= []).push(item);
  return [...layers].map((items) => items ?? []).filter((items) => items.length > 0);
}

function Item({ item, outline, pick }: { readonly item: GraphItem; readonly outline: Outline; readonly pick: (at: Place) => void }) {
  const node = outline.nodes[item.node];
  if (node === undefined) return null;
  const words = item.count > 1 ? EDITOR.stack(item.count, item.id) : describe(node);
  return (
    <button class="leads" type="button" data-node={item.id} onClick={() => pick(node.at)}>
      {words}
      {item.isFinal === true && <span class="muted"> {EDITOR.isFinal}</span>}
    </button>
  );
}
