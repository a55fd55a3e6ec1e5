/** What a job computes: its code, a stranger's text, and what it takes to compute it again. */

import type { JobHistory } from "../../../api/types.gen.ts";
import { RUNS, withQuery } from "../../app/routes.ts";
import { Command } from "../../parts/faces.tsx";
import { duration } from "../../words/format.ts";
import { JOB } from "../../words/job.ts";
import { CodeText } from "./text.tsx";

export function JobCode({ history }: { readonly history: JobHistory }) {
  const { code, job, source, seed, workflow, returns, timeoutMs } = history;
  const { codeFacts } = JOB;
  return (
    <section class="panel" id="job-code">
      <h2>{JOB.code}</h2>
      <dl class="facts">
        <dt>{codeFacts.file}</dt>
        <dd>{source}</dd>
        <dt>{codeFacts.hash}</dt>
        <dd>
          <code>{code}</code>
        </dd>
        {workflow !== undefined && <dt>{codeFacts.workflow}</dt>}
        {workflow !== undefined && (
          <dd>
            <a href={withQuery(RUNS, { workflow })}>
              <code>{workflow}</code>
            </a>
          </dd>
        )}
        <dt>{codeFacts.seed}</dt>
        <dd>
          <code>{seed}</code>
        </dd>
        {returns !== undefined && <dt>{codeFacts.returns}</dt>}
        {returns !== undefined && <dd>{returns}</dd>}
        <dt>{codeFacts.timeout}</dt>
        <dd>{duration(timeoutMs)}</dd>
      </dl>
      <p>{JOB.replay}</p>
      <Command text={JOB.replayCommand(job.id)} />
      <CodeText history={history} />
    </section>
  );
}
