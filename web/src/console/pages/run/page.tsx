/** The page of one run: how it stands, what can be done with it, and its parts by tab. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { cancelRun, pauseRun, resumeRun, runStored } from "../../../api/client.ts";
import { explainRun } from "../../../api/explain.ts";
import type { NodeView, RunView } from "../../../api/types.gen.ts";
import { type Action, useActions } from "../../app/actions.ts";
import { announce } from "../../app/announce.tsx";
import { type Route, runPartAddress } from "../../app/routes.ts";
import { useTrail } from "../../app/trail.ts";
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
import { TABS, type TabName, tabOf } from "./tabs.tsx";

export function RunPage({ route: { id, tab } }: { readonly route: Route }) {
  const run = useMemo(() => watchRun(id), []);
  useEffect(() => run.close, []);
  const view = run.view.value;
  const failed = run.problem.value !== undefined && (
    <Failed problem={run.problem.value} retry={() => void run.load()} shownSince={view === undefined ? undefined : run.since.value} />
  );
  return (
    <div class="page" id="run-page" data-state={view?.summary.state} data-old={view !== undefined && failed !== false}>
      {view === undefined && <PageHead title={RUN.title} tab={RUN.title} />}
      {failed}
      {view === undefined ? failed === false && <Loading /> : <Known run={run} view={view} tab={tabOf(tab)} />}
    </div>
  );
}

interface Shown {
  readonly run: WatchedRun;
  readonly view: RunView;
  readonly tab: TabName;
}

function Known({ run, view, tab }: Shown) {
  const { summary, stats } = view;
  const mark = runMark(summary);
  const over = isOver(summary.state);
  const began = useMemo(() => over, []);
  useFocusKept(over);
  useActions(actions(view), summary.id);
  useTrail({ steps: [{ name: summary.name }] });
  useEffect(() => {
    if (over && !began) announce(RUN.ended(summary.name, mark.word));
  }, [over]);
  const text = jobs(summary.progress);
  const places = decided(summary.state, stats.places);
  const doubts = runDoubts(summary.doubted ?? 0);
  const left = useLeft(view);
  const { Part } = TABS[tab];
  return (
    <>
      <PageHead
        title={summary.name}
        tab={`${summary.name}: ${mark.word}`}
        beside={<StateMark mark={mark} />}
        actions={
          <>
            {summary.state !== "FINISHED" && <Why of={summary.name} ask={() => explainRun(summary.id)} />}
            <Deeds run={run} view={view} />
          </>
        }
      />
      <div class="run-head">
        <Bar progress={summary.progress} paused={isHeld(summary)} label={PARTS.jobsDone} text={text} />
        <p class="run-line">
          <span class="run-done">{text}</span>
          <Id id={summary.id} />
        </p>
        <p class="paused" id="run-paused" role="status">
          {summary.paused && !over && pausedText(summary, Date.now())}
        </p>
        {doubts !== "" && <p class="doubts">{doubts}</p>}
        {places !== "" && <p class="muted run-places">{places}</p>}
        <Policy {...policyOf(view)} />
        <Judged stats={stats} doubted={summary.doubted ?? 0} />
        <LeftOut engines={view.leftOut ?? []} />
      </div>
      <RunFigures stats={stats} left={left} />
      <Tabs run={summary.id} here={tab} />
      <Part view={view} />
      <Printed view={view} />
    </>
  );
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

function Tabs({ run, here }: { readonly run: string; readonly here: TabName }) {
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
