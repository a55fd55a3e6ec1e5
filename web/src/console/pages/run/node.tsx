/** All there is to say of one node of a run: how it stands, what comes in, where its value goes, what was computed for it, and its value. */

import "./node.css";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { explainNode } from "../../../api/explain.ts";
import type { NodeDetail, PortView, WorkView } from "../../../api/types.gen.ts";
import { type ValueSource, nodeValueSource } from "../../../api/values.ts";
import { jobAddress, nodePageAddress, runAddress, runJobsAddress, runNodeAddress, withQuery } from "../../app/routes.ts";
import { hasEnded, watchJob } from "../../data/job.ts";
import { watchNode } from "../../data/node.ts";
import { isPaused } from "../../data/run.ts";
import { Bar } from "../../parts/bar.tsx";
import { Command, Failed, Loading } from "../../parts/faces.tsx";
import { Icon } from "../../parts/icon.tsx";
import { isNarrow } from "../../parts/narrow.ts";
import type { OfWork } from "../../parts/opened.ts";
import { Path } from "../../parts/path.tsx";
import { useSome } from "../../parts/some.tsx";
import { StateMark } from "../../parts/state.tsx";
import { ClosedValue, Value } from "../../parts/value.tsx";
import { Why } from "../../parts/why.tsx";
import { jobs } from "../../words/format.ts";
import { GRAPH } from "../../words/graphtext.ts";
import { JOB } from "../../words/job.ts";
import { NODE } from "../../words/node.ts";
import { PARTS } from "../../words/parts.ts";
import { nodeMark } from "../../words/states.ts";
import { Attempts } from "../job/attempts.tsx";
import { CodeText } from "../job/text.tsx";

/** Ports that are told of at once. */
const PORTS = 20;

/** The graph that it stands beside. */
interface Beside {
  /** Goes to another node. */
  readonly choose: (node: string) => void;
  readonly close: () => void;
}

interface Shown {
  readonly run: string;
  readonly node: string;
  /** Left out where it is a page of its own. */
  readonly graph?: Beside;
}

export function NodePanel(shown: Shown) {
  const { run, node, graph } = shown;
  const watch = useMemo(() => watchNode(run, node), []);
  const paused = useMemo(() => isPaused(run), []).value;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => watch.close, []);
  useLayoutEffect(() => title.current?.scrollIntoView({ block: "nearest" }), []);
  const detail = watch.known.value;
  const failed = watch.problem.value !== undefined && <Failed problem={watch.problem.value} retry={() => void watch.load()} />;
  const escape = (event: KeyboardEvent): void => {
    if (event.key === "Escape") graph?.close();
  };
  return (
    <section
      class="node panel"
      id="node"
      aria-label={NODE.label(node)}
      data-state={detail?.node.state}
      data-kind={detail?.node.kind}
      onKeyDown={escape}
    >
      <div class="section-head">
        <h2 ref={title} tabIndex={-1}>
          {node}
        </h2>
        {detail?.node.state && <StateMark mark={nodeMark(detail.node.state, paused)} />}
        <span class="buttons">
          {detail !== undefined && detail.node.state !== "FINISHED" && <Why of={node} ask={() => explainNode(run, node)} small />}
          <Ways {...shown} />
        </span>
      </div>
      {failed}
      {detail === undefined ? failed === false && <Loading /> : <Known {...shown} detail={detail} paused={paused} />}
    </section>
  );
}

/** To the graph, around the node in it, or to the node as a page. */
function Ways({ run, node, graph }: Shown) {
  return (
    <>
      {!isNarrow.value && (
        <a class="button small" href={withQuery(runAddress(run), { node, near: node })}>
          {NODE.around}
        </a>
      )}
      {!isNarrow.value && graph !== undefined && (
        <a class="button small" id="node-page" href={nodePageAddress(run, node)}>
          {NODE.asPage}
        </a>
      )}
      {graph === undefined ? (
        <a class="button small" id="node-close" href={runNodeAddress(run, node)} aria-keyshortcuts="Escape">
          {NODE.back}
        </a>
      ) : (
        <button class="button small" id="node-close" type="button" aria-keyshortcuts="Escape" onClick={graph.close}>
          {isNarrow.value ? NODE.back : NODE.close}
        </button>
      )}
    </>
  );
}

type KnownNode = Shown & { readonly detail: NodeDetail; readonly paused: boolean };

function Known(shown: KnownNode) {
  const { run, node, detail, paused } = shown;
  const { state } = detail.node;
  return (
    <>
      <Facts detail={detail} paused={paused} />
      {state !== null && hasEnded(state) && <Value key={`${node} ${state}`} source={nodeValueSource(NODE.valueOf(node), run, node)} />}
      {(state === null || !hasEnded(state)) && (
        <ClosedValue key={node} name="node-value" source={nodeValueSource(NODE.valueOf(node), run, node)} />
      )}
      {detail.work.map((work) => (
        <Work key={work.id} run={run} node={node} work={work} />
      ))}
      <Inputs {...shown} />
      <Outputs {...shown} />
    </>
  );
}

function Facts({ detail: { node, path, returnType, isFinal }, paused }: Pick<KnownNode, "detail" | "paused">) {
  const { facts } = NODE;
  const progress = node.jobs;
  return (
    <dl class="facts">
      <dt>{facts.kind}</dt>
      <dd>{GRAPH.kinds[node.kind]}</dd>
      <dt>{facts.type}</dt>
      <dd>{returnType}</dd>
      {isFinal && (
        <>
          <dt>{facts.result}</dt>
          <dd>{NODE.isResult}</dd>
        </>
      )}
      {progress !== null && (
        <>
          <dt>{facts.jobs}</dt>
          <dd>
            <Bar progress={progress} paused={paused} label={PARTS.jobsOf(node.id)} text={jobs(progress)} /> {jobs(progress)}
          </dd>
        </>
      )}
      <dt>{facts.path}</dt>
      <dd>
        <code>
          <Path path={path} />
        </code>
      </dd>
    </dl>
  );
}

/** A job of its own, or what a pool computes with. */
function Work({ run, node, work }: { readonly run: string; readonly node: string; readonly work: WorkView }) {
  const { facts } = NODE;
  return (
    <section class="node-work" data-work={work.kind}>
      <h3>
        {NODE.work[work.kind]} {work.id !== node && <code>{work.id}</code>}
      </h3>
      <dl class="facts">
        <dt>{facts.code}</dt>
        <dd>{NODE.code(work.source, NODE.languages[work.jobType])}</dd>
        <dt>{facts.type}</dt>
        <dd>{work.returnType}</dd>
        <dt>{facts.needs}</dt>
        <dd>{NODE.limits(work.timeoutSeconds, work.maxAttempts, work.priority)}</dd>
        {work.trust !== undefined && (
          <>
            <dt>{facts.policy}</dt>
            <dd>
              <code>{work.trust}</code>
            </dd>
          </>
        )}
      </dl>
      {work.job === undefined ? (
        <CodeText key={work.code} history={{ code: work.code, source: work.source, attempts: [] }} of={`${work.kind}-`} />
      ) : (
        <Job key={work.job} id={work.job} of={`${work.kind}-`} />
      )}
      {work.job === undefined && work.kind !== "processor" && <p class="muted">{NODE.noJob}</p>}
      {work.kind === "processor" && (
        <p class="muted">
          {NODE.processorJobs} <a href={withQuery(runJobsAddress(run), { node })}>{NODE.openJobs}</a>
        </p>
      )}
    </section>
  );
}

/** The attempts of its job, which goes on by itself. */
function Job({ id, of }: { readonly id: string; readonly of: OfWork }) {
  const job = useMemo(() => watchJob(id), []);
  useEffect(() => job.close, []);
  const known = job.known.value;
  return (
    <>
      <p>
        <a href={jobAddress(id)}>{NODE.openJob}</a>
      </p>
      <Command text={JOB.replayCommand(id)} />
      {job.problem.value !== undefined && <Failed problem={job.problem.value} retry={job.again} />}
      {known !== undefined && <CodeText history={known} of={of} />}
      {known !== undefined && <Attempts history={known} of={of} />}
    </>
  );
}

function Inputs({ run, detail, graph }: KnownNode) {
  const { ports, node } = detail;
  const nothing = node.kind === "value" ? NODE.noInputs : NODE.waitsForNothing;
  const [some, more] = useSome(ports, "more-ports", PORTS);
  return (
    <section class="node-inputs">
      <h3>{NODE.inputs}</h3>
      {ports.length === 0 && <p class="muted">{nothing}</p>}
      {some.map((port) => (
        <Port key={port.id} run={run} port={port} graph={graph} />
      ))}
      {more}
    </section>
  );
}

type Leading = Pick<Named, "run" | "graph">;

function Port({ run, port, graph }: Leading & { readonly port: PortView }) {
  const { id, dataType, sources, sourceCount } = port;
  return (
    <section class="port" data-port={id}>
      <p>
        <strong>{NODE.port(id)}</strong> <span class="muted">{dataType}</span>
      </p>
      <Names run={run} nodes={sources} all={sourceCount} graph={graph} />
      {sources.map((source) => (
        <ClosedValue key={source} name={`value-${id}-${source}`} source={inputSource(run, source, id)} />
      ))}
    </section>
  );
}

/** The same node may come in at several ports, so its value has an id of each. */
function inputSource(run: string, source: string, port: string): ValueSource {
  return { ...nodeValueSource(NODE.valueOf(source), run, source), id: `value-${port}-${source}` };
}

function Outputs({ run, detail: { targets, targetCount }, graph }: KnownNode) {
  return (
    <section class="node-outputs">
      <h3>{NODE.outputs}</h3>
      {targetCount === 0 ? <p class="muted">{NODE.noOutputs}</p> : <Names run={run} nodes={targets} all={targetCount} graph={graph} />}
    </section>
  );
}

interface Named {
  readonly run: string;
  readonly nodes: readonly string[];
  /** How many there are, listed or not. */
  readonly all: number;
  readonly graph: Beside | undefined;
}

function Names({ run, nodes, all, graph }: Named): ComponentChildren {
  return (
    <p class="node-names">
      {nodes.map((node) => (
        <NodeLink key={node} run={run} node={node} graph={graph} />
      ))}
      {all > nodes.length && <span class="muted">{NODE.more(all, nodes.length)}</span>}
    </p>
  );
}

/** Beside a graph a press goes there without leaving it; a link all the same, to be copied or opened apart. */
function NodeLink({ run, node, graph }: Leading & { readonly node: string }) {
  const press = (event: MouseEvent): void => {
    if (graph === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    graph.choose(node);
  };
  const address = graph === undefined ? nodePageAddress(run, node) : runNodeAddress(run, node);
  return (
    <a href={address} data-to={node} onClick={press}>
      <Icon name="right" />
      {node}
    </a>
  );
}
