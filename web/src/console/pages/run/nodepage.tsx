/** A node as a page: what stands beside the graph, over the whole width below the head of its run. The address names the node. */

import { useMemo } from "preact/hooks";
import type { RunView } from "../../../api/types.gen.ts";
import { entryShown } from "../../app/where.ts";
import { NodePanel } from "./node.tsx";

export function RunNode({ view }: { readonly view: RunView }) {
  const node = useMemo(() => entryShown("node"), []);
  return <NodePanel run={view.summary.id} node={node} />;
}
