/** Jobs, attempts and the queue as text for people. Pure; every moment comes in as an argument. */

import { engineName } from "./engine.ts";
import type {
  AnswerView,
  AttemptView,
  JobFleet,
  JobHistory,
  JobNeeds,
  JobView,
  QueueView,
  WorkerAttemptView,
} from "../../api/types.gen.ts";
import { type Tone, clock, count, counted, duration, percent } from "./format.ts";

/** Digits that are enough to tell answers apart. */
const DIGEST_DIGITS = 12;

/** `Queue: 120 wait, 8 run, 3 delayed, 40 held, 61 answered`. */
export function depth({ ready, leased, delayed, held, answered: judged = 0 }: QueueView): string {
  if (ready + leased + delayed + held + judged === 0) return "Queue: empty";
  const going = [counted(ready, "waits", "wait"), counted(leased, "runs", "run")];
  const kept = [
    [delayed, "delayed"],
    [held, "held"],
    [judged, "answered"],
  ] as const;
  const told = kept.filter(([number]) => number > 0).map(([number, what]) => `${count(number)} ${what}`);
  return `Queue: ${[...going, ...told].join(", ")}`;
}

/** What a job waits for, and until when; empty where it does not wait. */
export function waiting({ waits, waitsUntil }: Pick<JobView, "waits" | "waitsUntil">, now: number): string {
  const until = waitsUntil === null ? "" : clock(waitsUntil, now, true);
  const whom = waits === "check" ? "an answer from somebody else" : "a worker";
  switch (waits) {
    case "worker":
    case "check":
      return until === "" ? `waits for ${whom}` : `waits for ${whom}, until ${until} at most`;
    case "delay":
      return `waits until ${until}`;
    case "code":
      return "waits: its code was stopped, since it fails wherever it runs; the queue’s page lets it go";
    case "resume":
      return "waits: its run is paused";
    case "lot":
      return "waits for the checks of its lot";
    case "module":
      return "waits for what a module of its workflow says of an answer";
    case "overdue":
      return "no worker took it in time";
    case null:
      return "";
  }
}

/** For how long it ran since it was handed out, to its end or until now; a dash before that. */
export function ranText({ waitedMs, job, attempts }: Pick<JobHistory, "waitedMs" | "job" | "attempts">, now: number): string {
  if (attempts.length === 0) return "–";
  const ran = (job.endedAt ?? Math.max(now, job.enqueuedAt + waitedMs)) - job.enqueuedAt - waitedMs;
  return duration(Math.max(0, ran));
}

/** Why no connected worker takes a judged job that waits; empty where nothing keeps them away. */
export function fleetText(fleet: JobFleet | undefined, now: number): string {
  if (fleet === undefined) return "";
  const { connected, may, known, knownOnly, needed, answered: away, keyless, resting, restsUntil, leftOut } = fleet;
  if (connected === 0) return "no worker is connected";
  const told = [
    knownOnly &&
      `an established device is needed: ${count(known)} connected, ${count(may)} may still have it, ${count(needed)} have to agree at least`,
    away > 0 && may === 0 && `another device or network is needed: ${counted(away, "connected worker")} or a neighbour answered already`,
    keyless > 0 && `without a device key, never established: ${counted(keyless, "connected worker")}`,
    restsUntil !== null &&
      `${counted(resting, "connected worker")} resting, the first until ${clock(restsUntil, now, true)}: an answer differed`,
    leftOut.length >= 3 && "one engine alone computes its copies",
    leftOut.length > 0 && leftOut.length < 3 && `left out of this code: ${leftOut.map(engineName).join(", ")}`,
  ];
  return told.filter((text) => text !== false).join("; ");
}

/** What a worker must have beside JavaScript; empty where that is nothing. */
export function needing({ capabilities, memoryMb }: JobNeeds): string {
  const named = capabilities.filter((name) => name !== "javascript");
  const all = memoryMb > 0 ? [...named, `${count(memoryMb)} MiB of memory`] : named;
  return all.length === 0 ? "" : `needs ${all.join(", ")}`;
}

/** `never handed out`, `handed out twice, 1 of 3 attempts failed`. */
export function tries({ handedOut, failures, maxAttempts, reused }: JobView): string {
  if (reused !== null) return "took a stored result";
  if (handedOut === 0) return "never handed out";
  const out = `handed out ${times(handedOut)}`;
  return failures === 0 ? out : `${out}, ${count(failures)} of ${counted(maxAttempts, "attempt")} failed`;
}

/** How an attempt ended. */
export function ending({ end, kind }: Pick<AttemptView, "end" | "kind">): string {
  switch (end) {
    case null:
      return "running";
    case "error":
      return kind === null ? "error" : `error: ${kind}`;
    case "expired":
      return "no heartbeat in time";
    case "yielded":
      return "given back";
    case "lost":
      return "connection lost";
    default:
      return end;
  }
}

/** The same of what a worker was handed. */
export function attemptEnding({ end, job }: WorkerAttemptView): string {
  return ending({ end, kind: job?.error ?? null });
}

/** Which policy a value is believed by. `meant`: there is one, and this page knows what it means. */
export const JUDGED_BY = { meant: "Judged by {policies}: {meaning}.", bare: "Judged by {policies}." } as const;
export const STARTED_WITH = {
  meant: "Started with the policy {policies}: {meaning}.",
  bare: "Started with the policy {policies}.",
} as const;

/** What a policy of trust means; empty for one that this page does not know. */
export function policyMeaning(policy: string): string {
  const votes = /^quorum\((\d+)\)$/u.exec(policy)?.[1];
  if (votes !== undefined) return `a value is believed once ${votes} independent answers agree`;
  const share = /^credible\(([\d.]+)\)$/u.exec(policy)?.[1];
  if (share !== undefined) return `at most 1 in ${count(Math.floor(1 / Number(share)))} of the values believed is expected to be wrong`;
  return policy === "none" ? "the first value of the right type is believed" : "";
}

/** What the value of a judged job is believed on; empty while it is not. */
export function basisText({ basis, answered: answers = 0 }: Pick<JobView, "basis" | "answered">): string {
  const told = answers === 0 ? "" : `${counted(answers, "answer")}, `;
  switch (basis) {
    case "trusted":
      return `${told}believed on the word of a trusted device`;
    case "referee":
      return `${told}believed on the word of this server`;
    case "proved":
      return `${told}believed since its workflow's proof says that it is right`;
    case "agreed":
      return `${told}believed since devices agree`;
    case "lot":
      return `${told}believed with its lot`;
    default:
      return answers === 0 ? "" : `${counted(answers, "answer")}, not believed yet`;
  }
}

/** `first answer of an established device; its lot has 61 answers, 7 of 20 checks have passed`. */
export function standing({ rank, role, lot }: Pick<AnswerView, "rank" | "role" | "lot">): string {
  const asked = role === "first" ? "first answer" : role === "check" ? "computed to compare" : "computed since two were not enough";
  if (lot === undefined) return `${asked}, ${rank}`;
  const checks = lot.checks === 0 ? "none of them is checked yet" : `${count(lot.passed)} of ${counted(lot.checks, "check")} passed`;
  return `${asked}, ${rank}; its lot has ${counted(lot.answers, "answer")}, ${checks}`;
}

/** `; by its proof it is wrong`; empty where nothing was proved. */
export function proofText({ proof }: Pick<AnswerView, "proof">): string {
  return proof === undefined ? "" : `; by its proof it is ${proof}`;
}

/** What an attempt of a judged job said: the head of a value's digest, or the kind of an error. */
export function answered(digest: string | null, kind: string | null): string {
  return digest === null ? (kind ?? "error") : digest.slice(0, DIGEST_DIGITS);
}

/** What became of an answer. */
export function fateName({ fate }: Pick<AnswerView, "fate">): string {
  return fate ?? "not decided";
}

export function fateTone({ fate }: Pick<AnswerView, "fate">): Tone {
  if (fate === "agreed") return "good";
  return fate === "refuted" ? "bad" : "plain";
}

export function endTone(end: string | null): Tone {
  if (end === null) return "busy";
  if (end === "completed") return "good";
  return end === "error" || end === "expired" ? "bad" : "plain";
}

function times(number: number): string {
  if (number > 2) return `${count(number)} times`;
  return number === 1 ? "once" : "twice";
}

/** `from 19:40:12, waited 3 s, 1.2 s, of it 840 ms inside the code, 45 % done`; whose it is stands before it. */
export function attemptStory(
  { startedAt, endedAt, computeUs, progress }: Pick<AttemptView, "startedAt" | "endedAt" | "computeUs" | "progress">,
  waitedSince: number | undefined,
  at: number,
): string {
  const parts = [`from ${clock(startedAt, at, true)}`];
  if (waitedSince !== undefined) parts.push(`waited ${duration(Math.max(0, startedAt - waitedSince))}`);
  if (endedAt !== null) parts.push(`ran ${duration(endedAt - startedAt)}`);
  if (computeUs >= 1000) parts.push(`of it ${duration(computeUs / 1000)} inside the code`);
  if (progress !== null) parts.push(`${percent(progress)} done`);
  return parts.join(", ");
}

/** Since when an attempt had been waited for; not known where the one before is not kept, or has not ended. */
export function waitedFrom(
  { number }: Pick<AttemptView, "number">,
  before: Pick<AttemptView, "number" | "endedAt"> | undefined,
  enqueuedAt: number,
): number | undefined {
  if (number === 1) return enqueuedAt;
  return before?.number === number - 1 ? (before.endedAt ?? undefined) : undefined;
}
