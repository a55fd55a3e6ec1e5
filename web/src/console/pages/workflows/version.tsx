/** One version of a stored workflow: its graph, and what can be done with it. */

import type { GraphItem } from "../../../api/types.gen.ts";
import { RUNS, type Route, withQuery, workflowAddress } from "../../app/routes.ts";
import { PageHead } from "../../parts/head.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Id } from "../../parts/id.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { GRAPH } from "../../words/graph.ts";
import { NODE } from "../../words/node.ts";
import { WORKFLOWS } from "../../words/workflows.ts";

const Graph = lazily(async () => (await import("../../parts/graph.tsx")).Graph);

export function VersionPage({ route: { id: name, tab: workflow } }: { readonly route: Route }) {
  return (
    <div class="page" id="version-page">
      <p class="back">
        <a href={workflowAddress(name)}>
          <Icon name="left" />
          {WORKFLOWS.versions(name)}
        </a>
      </p>
      <PageHead title={name} tab={name} />
      <p class="run-line">
        <Id id={workflow} />
        <a href={withQuery(RUNS, { workflow })}>{WORKFLOWS.runs}</a>
      </p>
      <Graph workflow={workflow} beside={(node, item, _choose, close) => <ItemPanel node={node} item={item} close={close} />} />
    </div>
  );
}

interface Shown {
  readonly node: string;
  readonly item: GraphItem | undefined;
  readonly close: () => void;
}

/** What the workflow itself says of a node. */
function ItemPanel({ node, item, close }: Shown) {
  const { facts } = NODE;
  const rows: readonly (readonly [string, string | undefined])[] = [
    [facts.kind, item && GRAPH.kinds[item.kind]],
    [facts.code, item?.source],
    [NODE.work.processor, item?.processor],
    [NODE.work.reducer, item?.reducer],
    [facts.result, item?.isFinal === true ? NODE.isResult : undefined],
  ];
  return (
    <section class="node panel" id="node" aria-label={NODE.label(node)} data-kind={item?.kind}>
      <div class="section-head">
        <h2>{node}</h2>
        <button class="button small" id="node-close" type="button" onClick={close}>
          {NODE.close}
        </button>
      </div>
      <dl class="facts">
        {rows.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}
