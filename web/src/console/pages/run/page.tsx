/** The page of one run: how it stands, what can be done with it, and its parts by tab. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { cancelRun, runStored, setRunPaused } from "../../../api/client.ts";
import type { NodeView, RunView } from "../../../api/types.gen.ts";
import { type Action, useActions } from "../../app/actions.ts";
import { announce } from "../../app/announce.tsx";
import { type Route, runAddress } from "../../app/routes.ts";
import { mayStart, mayThere } from "../../data/projects.ts";
import { type WatchedRun, watchRun } from "../../data/run.ts";
import { Bar } from "../../parts/bar.tsx";
import { CancelButton } from "../../parts/cancel.tsx";
import { Failed, Loading } from "../../parts/faces.tsx";
import { PageHead, useFocusKept } from "../../parts/head.tsx";
import { Id } from "../../parts/id.tsx";
import { PauseButton } from "../../parts/pause.tsx";
import { Policy } from "../../parts/policy.tsx";
import { StateMark } from "../../parts/state.tsx";
import { decided, isOver, jobs } from "../../words/format.ts";
import { PARTS } from "../../words/parts.ts";
import { RUN, pausedText } from "../../words/run.ts";
import { runMark } from "../../words/states.ts";
import { openCreated } from "../workflows/upload.tsx";
import { runDoubts } from "./doubts.ts";
import { RunFigures } from "./figures.tsx";
import { Judged } from "./judged.tsx";
import { LeftOut } from "./leftout.tsx";
import { TABS, type TabName, tabOf } from "./tabs.tsx";

export function RunPage({ route: { id, tab } }: { readonly route: Route }) {
  const run = useMemo(() => watchRun(id), []);
  useEffect(() => run.close, []);
  const view = run.view.value;
  const failed = run.problem.value !== undefined && <Failed problem={run.problem.value} retry={() => void run.load()} />;
  return (
    <div class="page" id="run-page" data-state={view?.summary.state}>
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
  useEffect(() => {
    if (over && !began) announce(RUN.ended(summary.name, mark.word));
  }, [over]);
  const text = jobs(summary.progress, stats.reused);
  const places = decided(summary.state, stats.places);
  const doubts = runDoubts(summary.doubted ?? 0);
  const { Part } = TABS[tab];
  return (
    <>
      <PageHead
        title={summary.name}
        tab={`${summary.name}: ${mark.word}`}
        beside={<StateMark mark={mark} />}
        actions={<Deeds run={run} view={view} />}
      />
      <div class="run-head">
        <Bar progress={summary.progress} reused={stats.reused} label={PARTS.jobsDone} text={text} />
        <p class="run-line">
          <span class="run-done">{text}</span>
          <Id id={summary.id} />
        </p>
        <p class="paused" id="run-paused" role="status">
          {summary.paused && !over && pausedText(summary)}
        </p>
        {doubts !== "" && <p class="doubts">{doubts}</p>}
        {places !== "" && <p class="muted run-places">{places}</p>}
        <Policy {...policyOf(view)} />
        <Judged stats={stats} doubted={summary.doubted ?? 0} />
        <LeftOut engines={view.leftOut ?? []} />
      </div>
      <RunFigures stats={stats} />
      <Tabs run={summary.id} here={tab} />
      <Part view={view} />
    </>
  );
}

function Deeds({ run, view: { summary } }: { readonly run: WatchedRun; readonly view: RunView }) {
  const { id, state, paused, project } = summary;
  if (!mayThere("runs:write", project)) return null;
  if (isOver(state)) return mayStart() ? <Again view={summary} /> : null;
  return (
    <>
      <PauseButton what="run" paused={paused} set={(now) => setRunPaused(id, now)} onAnswer={run.show} />
      <CancelButton what="run" means={RUN.cancelled} cancel={() => cancelRun(id)} />
    </>
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
        <a key={name} href={name === "" ? runAddress(run) : `${runAddress(run)}/${name}`} aria-current={name === here ? "page" : undefined}>
          {RUN.tabs[name]}
        </a>
      ))}
    </nav>
  );
}

function actions({ summary: { id } }: RunView): readonly Action[] {
  return (Object.keys(TABS) as TabName[]).map((name) => ({
    id: `tab-${name}`,
    name: RUN.tabs[name],
    act: () => {
      location.hash = name === "" ? runAddress(id) : `${runAddress(id)}/${name}`;
    },
  }));
}

/** What its workflow and the server say, where it was not started with a policy. */
function policyOf({ summary: { trust }, nodes }: RunView) {
  if (trust !== undefined) return { words: RUN.startedWith, policies: [trust] };
  return { words: RUN.judgedBy, policies: [...new Set(nodes.flatMap((node: NodeView) => node.trust ?? []))] };
}
