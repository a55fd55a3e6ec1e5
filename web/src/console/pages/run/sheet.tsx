/** What stands on a run's sheet of paper: facts, graph, what was computed over time, the first nodes, the head of the result. */

import "./sheet.css";
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Progress, RunView } from "../../../api/types.gen.ts";
import { runResultSource } from "../../../api/values.ts";
import { loadPlot } from "../../charts/chart.ts";
import { type SheetFacts, type SheetGraph, readSheet } from "../../data/sheet.ts";
import { factsOf } from "../../graph/facts.ts";
import { sceneOf } from "../../graph/scene.ts";
import { Stage } from "../../graph/stage.ts";
import { NO_TIMES } from "../../graph/times.ts";
import { Bar } from "../../parts/bar.tsx";
import { StateMark } from "../../parts/state.tsx";
import { isHeld, isOver, jobs } from "../../words/format.ts";
import { GRAPH } from "../../words/graphtext.ts";
import { PARTS } from "../../words/parts.ts";
import { RUN } from "../../words/run.ts";
import { SHEET } from "../../words/sheet.ts";
import { nodeMark, runMark } from "../../words/states.ts";
import { openViewer } from "../../viewer/viewer.ts";
import { AboutFacts } from "./about.tsx";
import { RunFigures } from "./figures.tsx";
import { Cancelled, Wrong } from "./outcome.tsx";
import { ProfileCharts } from "./profile.tsx";

const MOST_NODES = 200;

interface Shown {
  readonly view: RunView;
  /** It can be printed now. */
  readonly ready: () => void;
}

/** As the run stands now: what comes meanwhile is for another sheet. */
export function Sheet({ view: now, ready }: Shown) {
  const view = useMemo(() => now, []);
  const facts = useSignal<SheetFacts | undefined>(undefined);
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => void readSheet(view.summary).then((found) => (facts.value = found)), []);
  useEffect(() => {
    if (facts.value !== undefined) void drawn(view, result.current).then(ready);
  }, [facts.value]);
  if (facts.value === undefined) return null;
  const { graph, profile } = facts.value;
  return (
    <>
      <Head view={view} />
      <AboutFacts view={view} exact />
      <RunFigures stats={view.stats} />
      {graph !== undefined && <Graph graph={graph} view={view} />}
      {profile !== undefined && (
        <section class="sheet-part">
          <h2>{RUN.profile.title}</h2>
          <ProfileCharts view={profile} over={isOver(view.summary.state)} of="sheet" />
        </section>
      )}
      <Nodes view={view} />
      {view.error !== null && <Wrong run={view.summary.id} error={view.error} id="sheet-error" />}
      {view.summary.state === "CANCELLED" && <Cancelled view={view} id="sheet-cancelled" />}
      {view.summary.state === "FINISHED" && (
        <section class="sheet-part sheet-result">
          <h2>{SHEET.result}</h2>
          <div class="viewer" ref={result} />
        </section>
      )}
    </>
  );
}

function Head({ view: { summary } }: { readonly view: RunView }) {
  const text = jobs(summary.progress);
  return (
    <>
      <div class="sheet-head">
        <h1>{summary.name}</h1>
        <StateMark mark={runMark(summary)} />
        <p class="muted">{SHEET.printed(new Date().toISOString(), location.origin)}</p>
      </div>
      {!isOver(summary.state) && <p>{SHEET.goesOn}</p>}
      <Bar progress={summary.progress} paused={isHeld(summary)} label={PARTS.jobsDone} text={text} />
      <p>{text}</p>
    </>
  );
}

function Graph({ graph: { picture, layers, states }, view }: { readonly graph: SheetGraph; readonly view: RunView }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const nothing = (): void => undefined;
    const stage = new Stage({ open: nothing, seek: nothing, moved: nothing, reached: nothing }, SHEET.graph);
    place.current?.replaceChildren(stage.element);
    stage.show(sceneOf(picture, new Map()), layers.counts);
    stage.tell(factsOf(states, layers, poolsOf(view), new Map(), NO_TIMES, isHeld(view.summary)));
    return () => stage.close();
  }, []);
  return (
    <section class="sheet-part">
      <h2>{SHEET.graph}</h2>
      <div ref={place} />
    </section>
  );
}

function poolsOf({ nodes }: RunView): ReadonlyMap<string, Progress> {
  return new Map(nodes.flatMap(({ id, jobs: progress }) => (progress === null ? [] : [[id, progress] as const])));
}

function Nodes({ view: { summary, nodes, nodeCount } }: { readonly view: RunView }) {
  const shown = nodes.slice(0, MOST_NODES);
  return (
    <section class="sheet-nodes">
      <h2>{RUN.nodes}</h2>
      {nodeCount > shown.length && <p class="muted">{SHEET.first(shown.length, nodeCount)}</p>}
      <ol>
        {shown.map(({ id, kind, state, jobs: progress }) => (
          <li key={id}>
            <span class="sheet-node">{id}</span>
            <span class="muted">
              {GRAPH.kinds[kind]}
              {progress !== null && `, ${jobs(progress)}`}
            </span>
            <StateMark mark={nodeMark(state, isHeld(summary))} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Until the value and the charts stand there: they are painted in frames of their own. */
async function drawn({ summary: { id, workflow } }: RunView, result: HTMLDivElement | null): Promise<void> {
  await loadPlot();
  if (result !== null) await openViewer(result, { ...runResultSource(SHEET.result, id, workflow), id: "sheet-result" });
  await frame();
  await frame();
}

function frame(): Promise<unknown> {
  return new Promise((next) => requestAnimationFrame(next));
}
