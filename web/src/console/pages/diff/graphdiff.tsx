/** Nodes and edges that came, went or changed, as a list. */

import { useMemo } from "preact/hooks";
import { compareEdges, compareNodes } from "../../diff/versions.ts";
import type { Outline } from "../../editor/said.ts";
import { useSome } from "../../parts/some.tsx";
import { DIFF } from "../../words/editor.ts";

export function GraphDiff({ outlines: [old, fresh] }: { readonly outlines: readonly [Outline, Outline] }) {
  const [nodes, edges] = useMemo(() => [compareNodes(old, fresh), compareEdges(old, fresh)] as const, [old, fresh]);
  const [shownNodes, moreNodes] = useSome(nodes, "more-changed-nodes");
  const [shownEdges, moreEdges] = useSome(edges, "more-changed-edges");
  return (
    <section aria-labelledby="changed-graph" id="graph-diff">
      <h2 id="changed-graph">{DIFF.graph}</h2>
      {nodes.length + edges.length === 0 && <p class="muted">{DIFF.graphSame}</p>}
      <ul class="plain-rows">
        {shownNodes.map(({ id, state, old: before, fresh: now }) => (
          <li key={`node ${id}`} data-state={state}>
            <span>
              {before !== "" && <code>{before}</code>}
              {state === "changed" && " → "}
              {now !== "" && <code>{now}</code>}
            </span>
            <span class="change-word">{DIFF.state[state]}</span>
          </li>
        ))}
      </ul>
      {moreNodes}
      <ul class="plain-rows">
        {shownEdges.map(({ source, dest, port, state }) => (
          <li key={`edge ${state} ${source} ${dest} ${port}`} data-state={state}>
            <code>{DIFF.edge(source, dest, port)}</code>
            <span class="change-word">{DIFF.state[state]}</span>
          </li>
        ))}
      </ul>
      {moreEdges}
    </section>
  );
}
