/**
 * The page of one job, of a run or alone: what it waits for, its attempts, its result; up to date while it can be seen.
 *
 * Owns asking for it until it has ended.
 */

import { cancelJob, getJob, getJobResult, jobResultPath } from "../api/client.ts";
import type { JobHistory, JobView, NodeState } from "../api/types.gen.ts";
import { make, setText } from "../dom.ts";
import { makeAttempts } from "./attempts.ts";
import { makeCancel } from "./cancel.ts";
import { JOB_DOUBTED } from "./doubts.ts";
import { age, count, stateName } from "./format.ts";
import { basisText, fleetText, needing, waiting } from "./jobtext.ts";
import { type Figure, breakable, makeBadge, makeFigures, makeProblem, makeRefusal, setBadge, setPolicy, showProblem } from "./parts.ts";
import { makeResult } from "./result.ts";
import { jobAddress, queueAddress, runAddress, runJobsAddress } from "./route.ts";
import { mayHere } from "./switch.ts";
import { whileVisible } from "./visible.ts";

const EVERY_MS = 2000;
const CANCELLED = "It is not handed out any more, and the volunteer who computes it is told to stop. This cannot be undone.";

const FIGURES: readonly Figure<JobView>[] = [
  ["failed attempts", (job) => `${count(job.failures)} of ${count(job.maxAttempts)}`],
  ["times handed out", (job) => count(job.handedOut)],
  ["put in", (job) => age(job.enqueuedAt, Date.now())],
  ["ended", (job) => (job.endedAt === null ? "–" : age(job.endedAt, Date.now()))],
];

/** Fills `place` with the job's page; the returned function ends it. */
export function openJob(place: HTMLElement, id: string): () => void {
  let page: JobPage | undefined;
  let closed = false;

  async function look(): Promise<void> {
    try {
      const history = await getJob(id);
      const { state } = history.job;
      const outcome = state === "FINISHED" ? await makeOutcome(id) : undefined;
      if (closed) return;
      page ??= makePage(place, history, () => {
        watch.now();
      });
      page.show(history, outcome);
      if (hasEnded(state)) watch.stop();
    } catch (refused) {
      if (closed) return;
      if (page === undefined) place.replaceChildren(makeRefusal(refused));
      else showProblem(page.problem, refused);
    }
  }

  delete place.dataset["state"];
  place.replaceChildren(make("p", { class: "muted" }, "Loading…"));
  const watch = whileVisible(EVERY_MS, look);
  return () => {
    closed = true;
    watch.stop();
  };
}

async function makeOutcome(id: string): Promise<HTMLElement> {
  const { result } = await getJobResult(id);
  return makeResult(result, jobResultPath(id), `result-${id}.json`);
}

interface JobPage {
  readonly problem: HTMLElement;
  readonly show: (history: JobHistory, outcome: HTMLElement | undefined) => void;
}

function makePage(place: HTMLElement, first: JobHistory, onCancelled: () => void): JobPage {
  const { id, path, needs, reused, trust } = first.job;
  const title = make("h1", { tabindex: "-1" }, ...breakable(path));
  const badge = makeBadge();
  const wait = make("p", { class: "job-waits", role: "status" });
  const policy = make("p", { class: "policy" });
  const doubts = make("p", { class: "doubts", role: "status" });
  const figures = makeFigures(FIGURES);
  const problem = makeProblem();
  const cancel = makeCancel({ what: "job", means: CANCELLED, cancel: () => cancelJob(id).finally(onCancelled) });
  const attempts = makeAttempts();
  const outcome = make("div", { role: "status" });
  const top = make("section", { class: "card" }, make("div", { class: "card-head" }, title, badge), makeOrigin(first), wait);
  setPolicy(policy, "Judged by", trust === undefined ? [] : [trust]);
  if (reused !== null) top.append(makeReused(reused));
  top.append(doubts, policy, figures.element, problem);
  // A job of a run ends with its run only.
  if (first.run === null && mayHere("jobs:write")) top.append(cancel.element);
  place.replaceChildren(makeBack(first), top, outcome, attempts.element);
  title.focus({ preventScroll: true });

  function show({ job, attempts: all, fleet }: JobHistory, ended: HTMLElement | undefined): void {
    document.title = `${path}: ${stateName(job.state)}`;
    place.dataset["state"] = job.state;
    setBadge(badge, job.state);
    const now = Date.now();
    const told = [waiting(job, now), needing(needs), fleetText(fleet, now), basisText(job)];
    setText(wait, told.filter((text) => text !== "").join("; "));
    figures.update(job);
    attempts.update(all);
    setText(doubts, job.doubted === true ? JOB_DOUBTED : "");
    problem.replaceChildren();
    if (ended !== undefined) outcome.replaceChildren(ended);
    if (cancel.update(hasEnded(job.state))) title.focus({ preventScroll: true });
  }
  return { problem, show };
}

function makeReused(job: string): HTMLElement {
  return make("p", {}, "It took the stored result of ", make("a", { href: jobAddress(job) }, "an equal job"), ".");
}

function makeOrigin({ job, run, queue }: JobHistory): HTMLElement {
  const origin = make("p", { class: "muted run-id" }, "job ", make("code", {}, job.id));
  if (run !== null) origin.append(" of ", make("a", { href: runAddress(run) }, "a run"));
  if (queue !== null) origin.append(" in queue ", make("a", { href: queueAddress(queue) }, queue));
  return origin;
}

function makeBack({ run, queue }: JobHistory): HTMLElement {
  const address = run === null ? queueAddress(queue ?? "") : runJobsAddress(run);
  const text = run === null ? "← All jobs of the queue" : "← All jobs of the run";
  return make("p", { class: "back" }, make("a", { href: address }, text));
}

function hasEnded(state: NodeState): boolean {
  return state === "FINISHED" || state === "FAILED" || state === "CANCELLED";
}
