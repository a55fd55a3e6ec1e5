/** A run as its graph: where each node stands, live while it goes on, and all of one node beside it. */

import { useEffect, useMemo, useRef } from "preact/hooks";
import { type NodeFilter, listNodes } from "../../../api/client.ts";
import { Refusal } from "../../../api/request.ts";
import type { RunView } from "../../../api/types.gen.ts";
import { watchPools } from "../../data/pools.ts";
import { isPaused } from "../../data/run.ts";
import { runStates } from "../../data/states.ts";
import { watchTimes } from "../../data/times.ts";
import { Graph, type Life } from "../../parts/graph.tsx";
import { isOver } from "../../words/format.ts";
import { NodePanel } from "./node.tsx";
import { Overview } from "./overview.tsx";

export function RunGraph({ view }: { readonly view: RunView }) {
  const { id, workflow, state } = view.summary;
  const over = useRef(false);
  over.current = isOver(state);
  const pools = useMemo(() => watchPools(id), []);
  const times = useMemo(() => watchTimes(id, () => over.current), []);
  useEffect(
    () => () => {
      pools.close();
      times.close();
    },
    [],
  );
  useEffect(() => times.again(), [over.current]);
  const life = useMemo(
    (): Life => ({
      states: runStates(id),
      pools: pools.jobs,
      times: times.times,
      paused: isPaused(id),
      find: (text) => firstNode(id, { q: text }, null),
      failed: (behind) => nextFailedNode(id, behind),
    }),
    [],
  );
  return (
    <Graph
      workflow={workflow}
      life={life}
      beside={(node, _item, choose, close) => <NodePanel key={node} run={id} node={node} graph={{ choose, close }} />}
      instead={<Overview view={view} />}
    />
  );
}

/** Behind the last one the first one follows. */
async function nextFailedNode(run: string, behind: string): Promise<string | undefined> {
  const fits: NodeFilter = { state: "FAILED" };
  return (await firstNode(run, fits, behind)) ?? (await firstNode(run, fits, null));
}

/** The first one of the whole run behind this one; `undefined` where there is none, or the server cannot be asked. */
async function firstNode(run: string, fits: NodeFilter, behind: string | null): Promise<string | undefined> {
  try {
    return (await listNodes(run, fits, behind, 1)).nodes[0]?.id;
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused;
    return undefined;
  }
}
