/** The attempts of a job: which worker, how long, how far, how it ended, what it answered, the error with its stack, and the log. */

import type { AnswerView, AttemptView, JobHistory } from "../../../api/types.gen.ts";
import { now } from "../../app/clock.ts";
import { workerAddress } from "../../app/routes.ts";
import { type OfWork, type PanelName, usePanel } from "../../parts/opened.ts";
import { Filled } from "../../parts/filled.tsx";
import { engineName } from "../../words/engine.ts";
import { percent } from "../../words/format.ts";
import { JOB } from "../../words/job.ts";
import { answered, attemptStory, endTone, ending, fateName, fateTone, proofText, standing, waitedFrom } from "../../words/jobtext.ts";

interface Listed {
  readonly history: JobHistory;
  readonly of?: OfWork;
}

export function Attempts({ history: { attempts, job }, of = "" }: Listed) {
  if (attempts.length === 0) return null;
  return (
    <section class="listed" id="attempts">
      <h2>{JOB.attempts}</h2>
      {attempts.map((attempt, at) => (
        <Attempt
          key={attempt.number}
          attempt={attempt}
          waitedFrom={waitedFrom(attempt, attempts[at - 1], job.enqueuedAt)}
          log={`${of}log-${attempt.number}`}
        />
      ))}
    </section>
  );
}

interface Shown {
  readonly attempt: AttemptView;
  readonly waitedFrom: number | undefined;
  readonly log: PanelName;
}

function Attempt({ attempt, waitedFrom: from, log }: Shown) {
  const { number, end, kind, progress, answer, message, stack } = attempt;
  return (
    <article class="attempt panel" data-attempt={number} tabIndex={-1}>
      <div class="section-head">
        <h3>{JOB.attempt(number)}</h3>
        <span class="badge" data-tone={endTone(end)}>
          {ending(attempt)}
        </span>
      </div>
      <p class="muted">
        <Filled text={JOB.tried} holes={{ worker: <Worker id={attempt.worker} />, story: attemptStory(attempt, from, now.value) }} />
      </p>
      {progress !== null && end === null && (
        <progress max={1} value={progress} aria-label={JOB.progress(number)} aria-valuetext={percent(progress)} />
      )}
      {answer && <Answer answer={answer} kind={kind} />}
      {message && (
        <p>
          <strong>{message}</strong>
        </p>
      )}
      {stack && <pre tabIndex={0}>{stack}</pre>}
      {attempt.log && <Log text={attempt.log} name={log} />}
    </article>
  );
}

function Worker({ id }: { readonly id: string }) {
  return id === "server" ? <>{JOB.thisServer}</> : <a href={workerAddress(id)}>{JOB.worker(id)}</a>;
}

/** `Answered by device 3f2a91c0 (Firefox): value 1a2b3c4d5e6f`, and what became of it. */
function Answer({ answer, kind }: { readonly answer: AnswerView; readonly kind: string | null }) {
  const { device, engine, digest } = answer;
  const who = device === null ? <Nameless engine={engine} /> : <Device device={device} engine={engine} />;
  const what = <code>{answered(digest, kind)}</code>;
  return (
    <p class="answer">
      <span>
        <Filled text={digest === null ? JOB.answeredWithError : JOB.answeredWithValue} holes={{ who, what }} />
      </span>
      <span class="badge" data-tone={fateTone(answer)}>
        {fateName(answer)}
      </span>
      <span class="muted stands">
        {standing(answer)}
        {proofText(answer)}
      </span>
    </p>
  );
}

function Nameless({ engine }: { readonly engine: string }) {
  return <>{engine === "server" ? JOB.server : JOB.keyless(engineName(engine))}</>;
}

function Device({ device, engine }: { readonly device: string; readonly engine: string }) {
  return <Filled text={JOB.device} holes={{ device: <code>{device}</code>, engine: engineName(engine) }} />;
}

/** What the job's code has logged: a stranger's text, shown as nothing but text. */
function Log({ text, name }: { readonly text: string; readonly name: PanelName }) {
  const { panel } = usePanel(name);
  return (
    <details class="log" {...panel}>
      <summary>{JOB.log}</summary>
      <pre tabIndex={0}>{text}</pre>
    </details>
  );
}
