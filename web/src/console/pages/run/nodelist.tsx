/** The nodes of a run, beside the other parts of its page, and the value of the one that somebody wants to see. */

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { explainNode } from "../../../api/explain.ts";
import type { RunView } from "../../../api/types.gen.ts";
import { nodeValueSource } from "../../../api/values.ts";
import { runAddress } from "../../app/routes.ts";
import { entryShown, replaceEntry } from "../../app/where.ts";
import { isHeld } from "../../words/format.ts";
import { Value } from "../../parts/value.tsx";
import { openWhy } from "../../parts/why.tsx";
import { NODE } from "../../words/node.ts";
import { RUN } from "../../words/run.ts";
import { makeNodeTable } from "./nodes.ts";

export function NodeList({ view }: { readonly view: RunView }) {
  const open = useSignal(useMemo(() => entryShown("node"), []));
  const table = useMemo(
    () =>
      makeNodeTable(
        (node) => {
          open.value = node;
          replaceEntry("node", node);
        },
        (node) => openWhy({ of: node, ask: () => explainNode(view.summary.id, node) }),
      ),
    [],
  );
  const place = useRef<HTMLDivElement>(null);
  const value = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(table.element), []);
  useLayoutEffect(() => table.update(view.nodes, view.nodeCount, isHeld(view.summary)), [view]);
  useLayoutEffect(() => value.current?.scrollIntoView({ block: "nearest" }), [open.value]);
  return (
    <>
      <section class="listed">
        <h2>{RUN.nodes}</h2>
        <div ref={place} />
        {view.nodeCount > view.nodes.length && <a href={`${runAddress(view.summary.id)}/nodes`}>{RUN.allNodes}</a>}
      </section>
      <div role="status" ref={value}>
        {open.value !== "" && <Value source={nodeValueSource(NODE.valueOf(open.value), view.summary.id, open.value)} />}
      </div>
    </>
  );
}
