/** How a run ended: its result, or which node failed by which attempts, or that it was cancelled. Nothing while it goes on. */

import { certificatePath } from "../../../api/client.ts";
import type { AttemptError, RunError, RunView } from "../../../api/types.gen.ts";
import { runResultSource } from "../../../api/values.ts";
import { runJobsAddress, withQuery } from "../../app/routes.ts";
import { MOST_CHARS } from "../../data/search.ts";
import { Diagnostics } from "../../parts/diagnostics.tsx";
import { makeDownload } from "../../parts/download.ts";
import { Made } from "../../parts/made.tsx";
import { Value } from "../../parts/value.tsx";
import { jobs } from "../../words/format.ts";
import { RUN } from "../../words/run.ts";

export function Outcome({ view }: { readonly view: RunView }) {
  const { summary, error, certificate } = view;
  return (
    <>
      {error !== null && <Wrong run={view.summary.id} error={error} id="error" />}
      {summary.state === "FINISHED" && <Value source={runResultSource(RUN.result, summary.id, summary.workflow)} />}
      {summary.state === "CANCELLED" && <Cancelled view={view} id="cancelled" />}
      {certificate === true && <Certificate run={summary.id} />}
    </>
  );
}

/** On whose word it stands. */
function Certificate({ run }: { readonly run: string }) {
  return (
    <section class="panel" id="certificate">
      <div class="section-head">
        <h2>{RUN.certificate}</h2>
        <Made make={() => makeDownload(certificatePath(run), `${run}.certificate`, RUN.downloadCertificate)} />
      </div>
      <p class="muted prose">{RUN.certificateWords}</p>
    </section>
  );
}

export function Cancelled({ view: { summary }, id }: { readonly view: RunView; readonly id: string }) {
  return (
    <section class="panel" id={id}>
      <h2>{RUN.wasCancelled}</h2>
      <p class="muted">{RUN.hadDone(jobs(summary.progress))}</p>
    </section>
  );
}

/** No node is named where the run itself failed. */
export function Wrong({ run, error, id }: { readonly run: string; readonly error: RunError; readonly id: string }) {
  const { node, message, diagnostics = [], attempts } = error;
  return (
    <section class="panel failed" id={id}>
      <div class="section-head">
        <h2>{node === "" ? RUN.failedItself : RUN.failedAt(node)}</h2>
        {node !== "" && <span class="muted">{RUN.attempts(attempts.length)}</span>}
        {node !== "" && <a href={withQuery(runJobsAddress(run), { q: node.slice(-MOST_CHARS) })}>{RUN.failedJob}</a>}
      </div>
      {message !== undefined && <p>{message}</p>}
      <Diagnostics found={diagnostics} />
      {attempts.map((attempt) => (
        <Attempt key={attempt.attempt} error={attempt} />
      ))}
    </section>
  );
}

function Attempt({ error: { attempt, worker, kind, message, stack } }: { readonly error: AttemptError }) {
  return (
    <article class="attempt" data-attempt={attempt} tabIndex={-1}>
      <p>
        <strong>{message}</strong>
      </p>
      <p class="muted">{RUN.attempt(attempt, worker, kind)}</p>
      {stack !== "" && <pre tabIndex={0}>{stack}</pre>}
    </article>
  );
}
