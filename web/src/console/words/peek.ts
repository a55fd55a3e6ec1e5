/** What a peek tells of a row: the facts that its list knows of it, in full where the list has no room. Pure. */

import type {
  JobView,
  NodeRow,
  RunSummary,
  WaitingClassView,
  WaitingQueueView,
  WorkerAttemptView,
  WorkerView,
  WorkflowVersionView,
} from "../../api/types.gen.ts";
import { jobAddress, queueAddress, runAddress, runNodeAddress, versionAddress, workerAddress } from "../app/routes.ts";
import { age, clock, count, counted, cut, duration, isOver, jobs, rate, size } from "./format.ts";
import { GRAPH } from "./graphtext.ts";
import { attemptEnding, needing, tries, waiting } from "./jobtext.ts";
import { needsOf } from "./needs.ts";
import { QUEUE } from "./queue.ts";
import { pausedText } from "./run.ts";
import { type Mark, jobMark, runMark } from "./states.ts";
import { WORKER, WORKERS, workerMark, workerText } from "./workers.ts";
import { WORKFLOWS, runsText } from "./workflows.ts";

export interface Peek {
  readonly title: string;
  readonly mark: Mark | undefined;
  /** The page of the row; left out where it has none. */
  readonly address?: string;
  readonly facts: readonly (readonly [term: string, text: string])[];
}

export const PEEK = {
  label: (title: string) => `A look at ${title}`,
  open: "Open",
  close: "Close",
} as const;

const TERMS = {
  id: "Id",
  progress: "Jobs",
  paused: "Paused",
  doubted: "Doubted",
  started: "Started",
  ended: "Ended",
  workflow: "Workflow",
  policy: "Judged by",
  path: "Path",
  waits: "Waits",
  error: "Newest error",
  tries: "Attempts",
  worker: "Worker",
  attempt: "Attempt",
  run: "Run",
  queued: "Put in",
  kind: "Kind",
  stands: "Stands",
} as const;

export function runPeek(run: RunSummary, now: number): Peek {
  const { id, name, state, paused, progress, doubted = 0, createdAt, finishedAt, workflow, trust } = run;
  return {
    title: name,
    mark: runMark(run),
    address: runAddress(id),
    facts: told([
      [TERMS.progress, jobs(progress)],
      [TERMS.paused, paused && !isOver(state) ? pausedText(run, now) : ""],
      [TERMS.doubted, doubted > 0 ? count(doubted) : ""],
      [TERMS.started, moment(createdAt, now)],
      [TERMS.ended, finishedAt === null ? "" : moment(finishedAt, now)],
      [TERMS.policy, trust],
      [TERMS.workflow, cut(workflow)],
      [TERMS.id, id],
    ]),
  };
}

export function jobPeek(job: JobView, now: number): Peek {
  const { id, path, error, worker, trust, enqueuedAt, endedAt } = job;
  return {
    title: path.split("/").at(-1) ?? path,
    mark: jobMark(job),
    address: jobAddress(id),
    facts: told([
      [TERMS.waits, [waiting(job, now), needing(job.needs)].filter((text) => text !== "").join("; ")],
      [TERMS.error, error],
      [TERMS.tries, tries(job)],
      [TERMS.worker, worker],
      [TERMS.queued, moment(enqueuedAt, now)],
      [TERMS.ended, endedAt === null ? "" : moment(endedAt, now)],
      [TERMS.policy, trust],
      [TERMS.path, path],
      [TERMS.id, id],
    ]),
  };
}

export function workerPeek(worker: WorkerView, now: number): Peek {
  const { id, agent, busy, slots, mflops, done, errors, expired, device, adapter, capabilities, memoryMb } = worker;
  const { columns } = WORKERS;
  const { facts } = WORKER;
  return {
    title: agent === "" ? id : agent,
    mark: workerMark(worker),
    address: workerAddress(id),
    facts: told([
      [TERMS.stands, workerText(worker, now).join(" ")],
      [columns.slots, WORKERS.busy(busy, slots)],
      [columns.mflops, rate(mflops)],
      [columns.done, count(done)],
      [columns.errors, count(errors)],
      [columns.expired, count(expired)],
      [facts.abilities, capabilities.join(", ")],
      [facts.memory, WORKER.memory(memoryMb)],
      [columns.adapter, adapter],
      [columns.device, device ?? WORKERS.keyless],
      [columns.since, moment(worker.connectedAt, now)],
      [columns.heard, moment(worker.lastHeardAt, now)],
      [facts.id, id],
    ]),
  };
}

/** What a worker was handed, for its own list. */
export function attemptPeek(attempt: WorkerAttemptView, now: number): Peek {
  const { job, startedAt, endedAt, computeMs } = attempt;
  const { columns, unknownJob } = WORKER;
  return {
    title: job?.path ?? unknownJob,
    mark: undefined,
    ...(job !== undefined && { address: jobAddress(job.id) }),
    facts: told([
      [columns.end, attemptEnding(attempt)],
      [columns.began, moment(startedAt, now)],
      [columns.took, endedAt === null ? "" : duration(endedAt - startedAt)],
      [columns.inside, computeMs > 0 ? duration(computeMs) : ""],
      [columns.error, job?.message ?? ""],
      [TERMS.attempt, job && count(job.attempt)],
      [TERMS.run, job?.run ?? ""],
      [TERMS.id, job?.id],
    ]),
  };
}

export function nodePeek(run: string, { id, kind, jobs: progress }: NodeRow, mark: Mark | undefined): Peek {
  return {
    title: id,
    mark,
    address: runNodeAddress(run, id),
    facts: told([
      [TERMS.kind, GRAPH.kinds[kind]],
      [TERMS.progress, progress === null ? "" : jobs(progress)],
    ]),
  };
}

/** A class of what waits has no page of its own: all there is to say of it is here. */
export function classPeek(row: WaitingClassView, now: number): Peek {
  const { classes } = QUEUE;
  const { jobs: number, oldestAt, workers, idle, why } = row;
  return {
    title: needsOf(row),
    mark: undefined,
    facts: told([
      [classes.jobs, count(number)],
      [classes.oldest, oldestAt === null ? "" : moment(oldestAt, now)],
      [classes.workers, classes.meet(count(workers), count(idle))],
      [classes.why, why.map(({ text, cure = "" }) => `${text} ${cure}`.trim()).join("\n")],
    ]),
  };
}

export function queuePeek({ queue, ready, delayed, held, oldestAt, project }: WaitingQueueView, now: number): Peek {
  const { names } = QUEUE;
  return {
    title: queue,
    mark: undefined,
    address: queueAddress(queue),
    facts: told([
      [names.ready, count(ready)],
      [names.delayed, count(delayed)],
      [names.held, count(held)],
      [names.oldest, oldestAt === null ? "" : moment(oldestAt, now)],
      [names.project, project],
    ]),
  };
}

export function versionPeek(name: string, version: WorkflowVersionView, now: number): Peek {
  const { workflow, createdAt, files, bytes, lastRun, runs } = version;
  const { peek } = WORKFLOWS;
  return {
    title: name,
    mark: undefined,
    address: versionAddress(name, workflow),
    facts: told([
      [peek.version, workflow],
      [peek.when, moment(createdAt, now)],
      [peek.files, `${counted(files, "file")}, ${size(bytes)}`],
      [peek.runs, runsText([runs])],
      [peek.last, lastRun === null ? "" : `${runMark({ state: lastRun.state, paused: false }).word}, ${moment(lastRun.createdAt, now)}`],
    ]),
  };
}

/** The same for those who do not see it. */
export function peekText({ title, mark, facts }: Peek): string {
  const all = facts.map(([term, text]) => `${term}: ${text}`);
  return [mark === undefined ? title : `${title}, ${mark.word}`, ...all].join(". ");
}

/** Without what there is nothing to say of. */
export function told(facts: readonly (readonly [string, string | undefined])[]): Peek["facts"] {
  return facts.flatMap(([term, text]) => (text === undefined || text === "" ? [] : [[term, text] as const]));
}

export function moment(at: number, now: number): string {
  return `${clock(at, now, true)}, ${age(at, now)}`;
}
