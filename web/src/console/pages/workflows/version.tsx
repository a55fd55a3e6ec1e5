/** One version of a stored workflow: its graph, its files, its last runs, and what can be done with it. */

import { useEffect, useMemo } from "preact/hooks";
import { Refusal } from "../../../api/request.ts";
import type { GraphItem, WorkflowFileView } from "../../../api/types.gen.ts";
import { RUNS, type Route, editAddress, withQuery, workflowAddress } from "../../app/routes.ts";
import { useTrail } from "../../app/trail.ts";
import { makeRunList } from "../../data/runs.ts";
import { openVersion } from "../../data/version.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { PageHead } from "../../parts/head.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Id } from "../../parts/id.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { type Column, Table } from "../../table/table.tsx";
import { size } from "../../words/format.ts";
import { GRAPH } from "../../words/graphtext.ts";
import { NODE } from "../../words/node.ts";
import { SHORT, WORKFLOWS } from "../../words/workflows.ts";
import { RunTable } from "../runs/columns.tsx";
import { Compare } from "./compare.tsx";
import { RunButtons } from "./runbuttons.tsx";

const Graph = lazily(async () => (await import("../../parts/graph.tsx")).Graph);

const NOT_FOUND = 404;
/** Runs that are listed here. */
const RUNS_SHOWN = 5;

export function VersionPage({ route: { id, tab } }: { readonly route: Route }) {
  return <Version key={tab} name={id} workflow={tab} />;
}

function Version({ name, workflow }: { readonly name: string; readonly workflow: string }) {
  const version = useMemo(() => openVersion(name, workflow), []);
  const editor = editAddress(name, workflow);
  useTrail({ steps: [{ name, address: workflowAddress(name) }, { name: workflow.slice(0, SHORT) }] });
  return (
    <div class="page" id="version-page">
      <p class="back">
        <a href={workflowAddress(name)}>
          <Icon name="left" />
          {WORKFLOWS.versions(name)}
        </a>
      </p>
      <PageHead
        title={name}
        tab={name}
        actions={
          <>
            <RunButtons name={name} workflow={workflow} />
            <a class="button" href={editor} aria-label={WORKFLOWS.editLabel(name, workflow.slice(0, SHORT))}>
              {WORKFLOWS.edit}
            </a>
          </>
        }
      />
      <p class="run-line">
        <Id id={workflow} />
        <a href={withQuery(RUNS, { workflow })}>{WORKFLOWS.runs}</a>
      </p>
      <Graph workflow={workflow} beside={(node, item, _choose, close) => <ItemPanel node={node} item={item} close={close} />} />
      <Files editor={editor} version={version} />
      {version.files.value !== undefined && <LastRuns workflow={workflow} />}
      <Compare versions={version.versions.value} fixed={workflow} />
    </div>
  );
}

interface Listed {
  /** The address of its editor. */
  readonly editor: string;
  readonly version: ReturnType<typeof openVersion>;
}

function Files({ editor, version: { files, problem, load } }: Listed) {
  const columns: readonly Column<WorkflowFileView>[] = [
    { id: "name", head: WORKFLOWS.fileTable.path, cell: ({ path }) => <a href={withQuery(editor, { file: path })}>{path}</a> },
    { id: "size", head: WORKFLOWS.fileTable.size, cell: ({ bytes }) => size(bytes) },
  ];
  // The graph above says that there is no such version.
  if (problem.value instanceof Refusal && problem.value.status === NOT_FOUND) return null;
  return (
    <section class="listed" id="version-files">
      <h2>{WORKFLOWS.fileTable.title}</h2>
      {problem.value !== undefined && <Failed problem={problem.value} retry={() => void load()} />}
      {files.value === undefined && problem.value === undefined && <Loading />}
      {files.value !== undefined && (
        <Table
          id="files-of"
          label={WORKFLOWS.fileTable.table}
          columns={columns}
          rows={files.value}
          keyOf={({ path }) => path}
          marks={({ path }) => ({ "data-file": path })}
        />
      )}
    </section>
  );
}

function LastRuns({ workflow }: { readonly workflow: string }) {
  const list = useMemo(() => makeRunList({ state: null, workflow, q: "", sort: "-created" }), []);
  useEffect(() => list.close, []);
  const rows = list.rows.value;
  const [isKnown, isFailed] = [list.known.value, list.problem.value !== undefined];
  return (
    <section class="listed" id="version-runs">
      <div class="section-head">
        <h2>{WORKFLOWS.lastRuns}</h2>
        {rows.length > RUNS_SHOWN && <a href={withQuery(RUNS, { workflow })}>{WORKFLOWS.allRuns}</a>}
      </div>
      {isFailed && <Failed problem={list.problem.value} retry={() => void list.load()} />}
      {!isKnown && !isFailed && <Loading />}
      {isKnown && rows.length === 0 && <p class="muted">{WORKFLOWS.noRuns}</p>}
      {rows.length > 0 && <RunTable id="runs" rows={rows.slice(0, RUNS_SHOWN)} />}
    </section>
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
