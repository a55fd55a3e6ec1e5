/** The page of one run: how it stands, what can be done with it, and its parts by tab. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { cancelRun, pauseRun, resumeRun, runStored } from "../../../api/client.ts";
import { explainRun } from "../../../api/explain.ts";
import type { NodeView, RunView } from "../../../api/types.gen.ts";
import { type Action, useActions } from "../../app/actions.ts";
import { announce, useAnnounced } from "../../app/announce.tsx";
import { type Route, runAddress, runPartAddress } from "../../app/routes.ts";
import { type Trail, useTrail } from "../../app/trail.ts";
import { mayStart, mayThere } from "../../data/projects.ts";
import { type WatchedRun, watchRun } from "../../data/run.ts";
import { Rates } from "../../graph/rates.ts";
import { heldBack, hold } from "../../live/news.ts";
import { Bar } from "../../parts/bar.tsx";
import { CancelButton } from "../../parts/cancel.tsx";
import { Failed, Loading } from "../../parts/faces.tsx";
import { PageHead, useFocusKept } from "../../parts/head.tsx";
import { Id } from "../../parts/id.tsx";
import { PauseButton } from "../../parts/pause.tsx";
import { Policy } from "../../parts/policy.tsx";
import { StateMark } from "../../parts/state.tsx";
import { Why } from "../../parts/why.tsx";
import { decided, isHeld, isOver, jobs } from "../../words/format.ts";
import { PARTS } from "../../words/parts.ts";
import { RUN, pausedText } from "../../words/run.ts";
import { runMark } from "../../words/states.ts";
import { openCreated } from "../workflows/upload.tsx";
import { runDoubts } from "../../words/doubts.ts";
import { RunFigures } from "./figures.tsx";
import { Judged } from "./judged.tsx";
import { type Left, timeLeft } from "./left.ts";
import { LeftOut } from "./leftout.tsx";
import { Printed, printRun } from "./printing.tsx";
import { type PartName, RUN_PARTS, TABS, type TabName, partOf } from "./tabs.tsx";

export function RunPage({ route }: { readonly route: Route }) {
  const run = useMemo(() => watchRun(route.id), []);
  useEffect(() => run.close, []);
  const view = run.view.value;
  const failed = run.problem.value !== undefined && (
    <Failed problem={run.problem.value} retry={() => void run.load()} shownSince={view === undefined ? undefined : run.since.value} />
  );
  return (
    <div class="page" id="run-page" data-state={view?.summary.state} data-old={view !== undefined && failed !== false}>
      {view === undefined && <PageHead title={RUN.title} tab={RUN.title} />}
      {failed}
      {view === undefined ? failed === false && <Loading /> : <Known run={run} view={view} route={route} />}
    </div>
  );
}

interface Shown {
  readonly run: WatchedRun;
  readonly view: RunView;
  readonly route: Route;
}

function Known({ run, view, route }: Shown) {
  const { summary, stats } = view;
  const mark = runMark(summary);
  const over = isOver(summary.state);
  const began = useMemo(() => over, []);
  const part = partOf(route);
  const node = part === "node" ? route.query.get("node") : null;
  useFocusKept(over);
  useActions(actions(view), summary.id);
  useTrail(trailOf(view, node));
  useEffect(() => {
    if (over && !began) announce(RUN.ended(summary.name, mark.word));
  }, [over]);
  const left = useLeft(view);
  const { Part } = RUN_PARTS[part];
  const title = `${summary.name}: ${mark.word}`;
  return (
    <>
      <PageHead
        title={summary.name}
        tab={node === null ? title : RUN.nodeTitle(node, title)}
        beside={<StateMark mark={mark} />}
        actions={
          <>
            {summary.state !== "FINISHED" && <Why of={summary.name} ask={() => explainRun(summary.id)} />}
            <Deeds run={run} view={view} />
          </>
        }
      />
      <Standing view={view} />
      <RunFigures stats={stats} left={left} />
      <Tabs run={summary.id} here={part} />
      <Part view={view} />
      <Printed view={view} />
    </>
  );
}

/** What a run does now, and on whose word it stands. */
function Standing({ view }: { readonly view: RunView }) {
  const { summary, stats } = view;
  const text = jobs(summary.progress);
  const places = decided(summary.state, stats.places);
  const doubts = runDoubts(summary.doubted ?? 0);
  const paused = summary.paused && !isOver(summary.state) ? pausedText(summary, Date.now()) : "";
  useAnnounced(paused, paused);
  return (
    <div class="run-head">
      <Bar progress={summary.progress} paused={isHeld(summary)} label={PARTS.jobsDone} text={text} />
      <p class="run-line">
        <span class="run-done">{text}</span>
        <Id id={summary.id} />
      </p>
      <p class="paused" id="run-paused">
        {paused}
      </p>
      {doubts !== "" && <p class="doubts">{doubts}</p>}
      {places !== "" && <p class="muted run-places">{places}</p>}
      <Policy {...policyOf(view)} />
      <Judged stats={stats} doubted={summary.doubted ?? 0} />
      <LeftOut engines={view.leftOut ?? []} />
    </div>
  );
}

/** A node that is a page lies below its run. */
function trailOf({ summary: { id, name } }: RunView, node: string | null): Trail {
  return { steps: node === null ? [{ name }] : [{ name, address: runAddress(id) }, { name: node }] };
}

/** From what has been done since the last looks at it. */
function useLeft(view: RunView): Left | undefined {
  const { id, state, paused, progress } = view.summary;
  const rates = useMemo(() => new Rates(), []);
  return useMemo(() => {
    const rate = rates.note(Date.now(), new Map([[id, progress]])).get(id);
    return isOver(state) ? undefined : timeLeft(progress, paused ? undefined : rate);
  }, [view]);
}

function Deeds({ run, view: { summary } }: { readonly run: WatchedRun; readonly view: RunView }) {
  const { id, state, paused, project } = summary;
  const over = isOver(state);
  if (!mayThere("runs:write", project)) return over ? null : <HoldStill />;
  if (over) return mayStart() ? <Again view={summary} /> : null;
  return (
    <>
      <HoldStill />
      <PauseButton what="run" paused={paused} pause={(note) => pauseRun(id, note)} resume={() => resumeRun(id)} onAnswer={run.show} />
      <CancelButton what="run" means={RUN.cancelled} cancel={() => cancelRun(id)} />
    </>
  );
}

/** The live mark says how much came meanwhile. */
function HoldStill() {
  const held = heldBack.value !== undefined;
  return (
    <button class="button" id="hold-still" type="button" aria-pressed={held} onClick={() => hold(!held)}>
      {RUN.hold}
    </button>
  );
}

function Again({ view: { workflow, name } }: { readonly view: RunView["summary"] }) {
  const problem = useSignal<unknown>(undefined);
  const press = (): void => {
    problem.value = undefined;
    runStored(workflow, name).then(openCreated, (refused: unknown) => (problem.value = refused));
  };
  return (
    <>
      {problem.value !== undefined && <Failed problem={problem.value} />}
      <button class="button" id="run-again" type="button" onClick={press}>
        {RUN.again}
      </button>
    </>
  );
}

function Tabs({ run, here }: { readonly run: string; readonly here: PartName }) {
  return (
    <nav class="tabs" aria-label={RUN.tabsLabel}>
      {(Object.keys(TABS) as TabName[]).map((name) => (
        <a key={name} href={runPartAddress(run, name)} aria-current={name === here ? "page" : undefined}>
          {RUN.tabs[name]}
        </a>
      ))}
    </nav>
  );
}

function actions({ summary: { id } }: RunView): readonly Action[] {
  const tabs = (Object.keys(TABS) as TabName[]).map((name) => ({
    id: `tab-${name}`,
    name: RUN.tabs[name],
    act: () => {
      location.hash = runPartAddress(id, name);
    },
  }));
  return [...tabs, { id: "print", name: RUN.print, act: printRun }];
}

/** What its workflow and the server say, where it was not started with a policy. */
function policyOf({ summary: { trust }, nodes }: RunView) {
  if (trust !== undefined) return { words: RUN.startedWith, policies: [trust] };
  return { words: RUN.judgedBy, policies: [...new Set(nodes.flatMap((node: NodeView) => node.trust ?? []))] };
}
