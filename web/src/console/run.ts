/**
 * The page of one run: progress, figures, outcome and nodes, live until the run has ended.
 *
 * Owns its stream of events. Never asks for anything but this run.
 */

import { getRun, runEventsPath } from "../api/client.ts";
import type { NodeView, RunStats, RunView } from "../api/types.gen.ts";
import { make, setText } from "../dom.ts";
import { makeRunActions } from "./actions.ts";
import { makeDoubts } from "./doubts.ts";
import { count, decided, duration, isOver, jobs, percent, rate, stateName } from "./format.ts";
import { listen } from "./live.ts";
import { makeJudged } from "./judged.ts";
import { makeLeftOut } from "./leftout.ts";
import { makeNodeTable } from "./nodes.ts";
import { makeOutcome } from "./outcome.ts";
import { type Figure, makeBadge, makeFigures, makeHead, makeRefusal, setBar, setPolicy, setRunBadge } from "./parts.ts";
import { runJobsAddress } from "./route.ts";

const FIGURES: readonly Figure<RunStats>[] = [
  ["jobs computed", (stats) => count(stats.jobs)],
  ["wall time", (stats) => duration(stats.wallMs)],
  ["MFLOPS", (stats) => rate(stats.mflops)],
  ["utilisation", (stats) => percent(stats.utilisation)],
  ["median job", (stats) => duration(stats.medianMs)],
  ["workers", (stats) => count(stats.workers)],
  ["slots", (stats) => count(stats.slots)],
];

/** Fills `place` with the run's page; the returned function ends it. */
export function openRun(place: HTMLElement, id: string): () => void {
  const page = makePage(place, id, show);
  let over = false;
  let stop: (() => void) | undefined;

  function show(view: RunView): void {
    if (over) return;
    page(view);
    if (isOver(view.summary.state)) close();
  }
  function close(): void {
    over = true;
    stop?.();
  }

  place.replaceChildren(back(), make("p", { class: "muted" }, "Loading…"));
  getRun(id).then(
    (view) => {
      show(view);
      if (!over) stop = listen(runEventsPath(id), { run: (data) => show(data as RunView) }, () => undefined);
    },
    (problem: unknown) => {
      if (!over) place.replaceChildren(back(), makeRefusal(problem));
    },
  );
  return close;
}

function makePage(place: HTMLElement, id: string, onView: (view: RunView) => void): (view: RunView) => void {
  const title = make("h1", { tabindex: "-1" });
  const badge = makeBadge();
  const bar = make("progress", { "aria-label": "Jobs done" });
  const done = make("p", { class: "muted run-done" });
  const places = make("p", { class: "muted run-places" });
  const policy = make("p", { class: "muted policy" });
  const figures = makeFigures(FIGURES);
  const actions = makeRunActions(id, onView);
  const judged = makeJudged();
  const leftOut = makeLeftOut();
  const doubts = makeDoubts();
  const outcome = make("div", { role: "status" });
  const nodes = makeNodeTable();
  let painted: string | undefined;

  return (view) => {
    if (painted === undefined) {
      const head = make("div", { class: "card-head" }, title, badge);
      const facts = [head, runId(id), bar, done, doubts.element, places, policy, judged.element, leftOut.element];
      const top = make("section", { class: "card" }, ...facts, figures.element, actions.element);
      const table = make("section", { class: "card" }, makeHead("Nodes", allJobs(id)), nodes.element);
      place.replaceChildren(back(), top, outcome, table);
    }
    document.title = `${view.summary.name}: ${stateName(view.summary.state)}`;
    place.dataset["state"] = view.summary.state;
    setText(title, view.summary.name);
    setRunBadge(badge, view.summary);
    const text = jobs(view.summary.progress, view.stats.reused);
    setBar(bar, view.summary.progress, text);
    setText(done, text);
    setText(places, decided(view.summary.state, view.stats.places));
    places.hidden = places.textContent === "";
    const { trust } = view.summary;
    if (trust === undefined) setPolicy(policy, "Judged by", nodePolicies(view.nodes));
    else setPolicy(policy, "Started with the policy", [trust]);
    judged.update(view.stats, view.summary.doubted ?? 0);
    leftOut.update(view.leftOut ?? []);
    doubts.update(view.summary.doubted ?? 0);
    figures.update(view.stats);
    nodes.update(view.nodes, view.nodeCount);
    // The button that had the focus is gone: whoever pressed it goes on at the top.
    const left = actions.update(view.summary);
    if (painted === undefined || left) title.focus({ preventScroll: true });
    if (painted !== view.summary.state) outcome.replaceChildren(...[makeOutcome(view) ?? []].flat());
    painted = view.summary.state;
  };
}

/** What its workflow and the server say, where it was not started with a policy. */
function nodePolicies(nodes: readonly NodeView[]): string[] {
  return [...new Set(nodes.flatMap((node) => node.trust ?? []))];
}

function allJobs(id: string): HTMLElement {
  return make("a", { href: runJobsAddress(id) }, "All jobs and their attempts");
}

function runId(id: string): HTMLElement {
  return make("p", { class: "muted run-id" }, "run ", make("code", {}, id));
}

function back(): HTMLElement {
  return make("p", { class: "back" }, make("a", { href: "#/" }, "← All runs"));
}
