/** Nodes and edges that came, went or changed: marked in the graphs of both versions, and as a list. */

import { useMemo } from "preact/hooks";
import { idsOf, markOfChange } from "../../diff/marks.ts";
import { type EdgeChange, type NodeChange, compareEdges, compareNodes } from "../../diff/versions.ts";
import type { Outline } from "../../editor/said.ts";
import { isNarrow } from "../../parts/narrow.ts";
import { useSome } from "../../parts/some.tsx";
import { StateMark } from "../../parts/state.tsx";
import { DIFF } from "../../words/diff.ts";
import { MarkedGraph } from "./markedgraph.tsx";

interface Shown {
  readonly outlines: readonly [Outline, Outline];
  /** Content hashes of the older version and the newer one. */
  readonly versions: readonly [string, string];
}

export function GraphDiff({ outlines: [old, fresh], versions }: Shown) {
  const [nodes, edges] = useMemo(() => [compareNodes(old, fresh), compareEdges(old, fresh)] as const, [old, fresh]);
  return (
    <section aria-labelledby="changed-graph" id="graph-diff">
      <h2 id="changed-graph">{DIFF.graph}</h2>
      {nodes.length + edges.length === 0 && <p class="muted">{DIFF.graphSame}</p>}
      {!isNarrow.value && <Graphs outlines={[old, fresh]} versions={versions} nodes={nodes} edges={edges} />}
      <Lists nodes={nodes} edges={edges} />
    </section>
  );
}

interface Found {
  readonly nodes: readonly NodeChange[];
  readonly edges: readonly EdgeChange[];
}

/** A phone has the list alone. */
function Graphs({ outlines: [old, fresh], versions: [from, to], nodes, edges }: Shown & Found) {
  const went = (one: NodeChange | EdgeChange): boolean => one.state === "removed";
  const [gone, goneEdges] = [nodes.filter(went), edges.filter(went)];
  const [here, hereEdges] = [nodes.filter((one) => !went(one)), edges.filter((one) => !went(one))];
  return (
    <>
      {here.length + hereEdges.length > 0 && <MarkedGraph side="fresh" version={to} ids={idsOf(fresh)} nodes={here} edges={hereEdges} />}
      {gone.length + goneEdges.length > 0 && <MarkedGraph side="old" version={from} ids={idsOf(old)} nodes={gone} edges={goneEdges} />}
    </>
  );
}

function Lists({ nodes, edges }: Found) {
  const [shownNodes, moreNodes] = useSome(nodes, "more-changed-nodes");
  const [shownEdges, moreEdges] = useSome(edges, "more-changed-edges");
  return (
    <>
      <ul class="plain-rows">
        {shownNodes.map(({ id, state, old: before, fresh: now }) => (
          <li key={`node ${id}`} data-state={state}>
            <span>
              {before !== "" && <code>{before}</code>}
              {state === "changed" && " → "}
              {now !== "" && <code>{now}</code>}
            </span>
            <StateMark mark={markOfChange(state)} />
          </li>
        ))}
      </ul>
      {moreNodes}
      <ul class="plain-rows">
        {shownEdges.map(({ source, dest, port, state }) => (
          <li key={`edge ${state} ${source} ${dest} ${port}`} data-state={state}>
            <code>{DIFF.edge(source, dest, port)}</code>
            <StateMark mark={markOfChange(state)} />
          </li>
        ))}
      </ul>
      {moreEdges}
    </>
  );
}
