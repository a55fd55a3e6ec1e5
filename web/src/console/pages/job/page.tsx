/** The page of one job, of a run or alone: what it waits for, its attempts, its result. */

import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { cancelJob } from "../../../api/client.ts";
import { explainJob } from "../../../api/explain.ts";
import type { JobHistory, JobView } from "../../../api/types.gen.ts";
import { jobInputSource, jobResultSource } from "../../../api/values.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { now } from "../../app/clock.ts";
import { type Route, jobAddress, queueAddress, runAddress, runJobsAddress, runNodeAddress } from "../../app/routes.ts";
import { type Trail, useTrail } from "../../app/trail.ts";
import { hasEnded, watchJob } from "../../data/job.ts";
import { nodeOfJob } from "../../data/node.ts";
import { mayHere } from "../../data/projects.ts";
import { nameOfRun } from "../../data/run.ts";
import { CancelButton } from "../../parts/cancel.tsx";
import { Failed, Loading } from "../../parts/faces.tsx";
import { Filled } from "../../parts/filled.tsx";
import { Figures } from "../../parts/figures.tsx";
import { PageHead, useFocusKept } from "../../parts/head.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Id } from "../../parts/id.tsx";
import { Path } from "../../parts/path.tsx";
import { Policy } from "../../parts/policy.tsx";
import { StateMark } from "../../parts/state.tsx";
import { ClosedValue, Value } from "../../parts/value.tsx";
import { Why } from "../../parts/why.tsx";
import { age, count, duration } from "../../words/format.ts";
import { JOB } from "../../words/job.ts";
import { basisText, fleetText, needing, ranText, waiting } from "../../words/jobtext.ts";
import { jobMark } from "../../words/states.ts";
import { JOB_DOUBTED } from "../../words/doubts.ts";
import { Attempts } from "./attempts.tsx";
import { JobCode } from "./code.tsx";

export function JobPage({ route: { id } }: { readonly route: Route }) {
  const job = useMemo(() => watchJob(id), []);
  useEffect(() => job.close, []);
  const known = job.known.value;
  const failed = job.problem.value !== undefined && <Failed problem={job.problem.value} retry={job.again} />;
  return (
    <div class="page" id="job-page" data-state={known?.job.state}>
      {known === undefined && <PageHead title={JOB.title} tab={JOB.title} />}
      {failed}
      {known === undefined ? failed === false && <Loading /> : <Known history={known} again={job.again} />}
    </div>
  );
}

function Known({ history, again }: { readonly history: JobHistory; readonly again: () => void }) {
  const { job, run } = history;
  const mark = jobMark(job);
  const over = hasEnded(job.state);
  const told = waits(history);
  useFocusKept(over);
  useAnnounced(told, told);
  // News of all runs come often, and hardly ever with another name.
  const runName = useComputed(() => (run === null ? "" : nameOfRun(run)));
  useTrail(trailOf(history, runName.value));
  // A job of a run ends with its run only.
  const mayCancel = run === null && !over && mayHere("jobs:write");
  const cancel = mayCancel && <CancelButton what="job" means={JOB.cancelled} cancel={() => cancelJob(job.id).finally(again)} />;
  return (
    <>
      <Back history={history} />
      <PageHead
        title={<Path path={job.path} />}
        tab={`${job.path}: ${mark.word}`}
        beside={<StateMark mark={mark} />}
        actions={<Deeds job={job} cancel={cancel} />}
      />
      <Origin history={history} />
      <p class="job-waits">{told}</p>
      {job.reused !== null && (
        <p>
          <Filled text={JOB.reused} holes={{ job: <a href={jobAddress(job.reused)}>{JOB.equalJob}</a> }} />
        </p>
      )}
      {job.doubted === true && <p class="doubts">{JOB_DOUBTED}</p>}
      <Policy words={JOB.judgedBy} policies={job.trust === undefined ? [] : [job.trust]} />
      <JobFigures history={history} />
      {job.state === "FINISHED" && <Value source={jobResultSource(JOB.result, job.id)} />}
      <Attempts history={history} />
      <JobCode history={history} />
      <ClosedValue name="input" source={jobInputSource(JOB.input, job.id)} />
    </>
  );
}

function Deeds({ job, cancel }: { readonly job: JobView; readonly cancel: ComponentChildren }) {
  return (
    <>
      {job.state !== "FINISHED" && <Why of={job.path} ask={() => explainJob(job.id)} />}
      {cancel}
    </>
  );
}

function JobFigures({ history }: { readonly history: JobHistory }) {
  const { figures } = JOB;
  const { job } = history;
  return (
    <Figures
      facts={[
        [figures.waited, duration(history.waitedMs)],
        [figures.ran, ranText(history, now.value)],
        [figures.failures, JOB.failures(job.failures, job.maxAttempts)],
        [figures.out, count(job.handedOut)],
        [figures.put, age(job.enqueuedAt, now.value)],
        [figures.ended, job.endedAt === null ? "–" : age(job.endedAt, now.value)],
      ]}
    />
  );
}

function Origin({ history: { job, run, queue } }: { readonly history: JobHistory }) {
  return (
    <p class="muted origin">
      <Id id={job.id} />
      {run !== null && <a href={runAddress(run)}>{JOB.ofRun}</a>}
      {run !== null && <OfNode run={run} path={job.path} />}
      {queue !== null && (
        <span>
          <Filled text={JOB.inQueue} holes={{ queue: <a href={queueAddress(queue)}>{queue}</a> }} />
        </span>
      )}
    </p>
  );
}

/** A link to the node that it is computed for, once that is known. */
function OfNode({ run, path }: { readonly run: string; readonly path: string }) {
  const node = useSignal<string | undefined>(undefined);
  useEffect(() => {
    void nodeOfJob(run, path).then((found) => (node.value = found));
  }, []);
  if (node.value === undefined) return null;
  return <a href={runNodeAddress(run, node.value)}>{JOB.node(node.value)}</a>;
}

function Back({ history: { run, queue } }: { readonly history: JobHistory }) {
  const address = run === null ? queueAddress(queue ?? "") : runJobsAddress(run);
  return (
    <p class="back">
      <a href={address}>
        <Icon name="left" />
        {run === null ? JOB.allOfQueue : JOB.allOfRun}
      </a>
    </p>
  );
}

/** A job of a run lies below its run. */
function trailOf({ job, run, queue }: JobHistory, runName: string): Trail {
  const own = { name: job.path.split("/").at(-1) ?? job.path };
  if (run === null) return { steps: [{ name: queue ?? "", address: queueAddress(queue ?? "") }, own] };
  return { under: "run", steps: [{ name: runName, address: runAddress(run) }, own] };
}

/** What it waits for, and for whom; or what its value is believed on. */
function waits({ job, fleet }: JobHistory): string {
  const told = [waiting(job, now.value), needing(job.needs), fleetText(fleet, now.value), basisText(job)];
  return told.filter((text) => text !== "").join("; ");
}
