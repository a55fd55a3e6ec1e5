/** What a job computes: its code, a stranger's text, and what it takes to compute it again. */

import { useSignal } from "@preact/signals";
import type { JobHistory } from "../../../api/types.gen.ts";
import { RUNS, withQuery } from "../../app/routes.ts";
import { readCode } from "../../data/code.ts";
import { Command, Failed, Loading } from "../../parts/faces.tsx";
import { duration } from "../../words/format.ts";
import { JOB } from "../../words/job.ts";

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
      <Text code={code} />
    </section>
  );
}

/** Read once it is opened: most people ask for none. */
function Text({ code }: { readonly code: string }) {
  const text = useSignal<string | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const open = (): void => {
    if (text.value !== undefined) return;
    problem.value = undefined;
    readCode(code).then(
      (found) => (text.value = found ?? JOB.module),
      (refused: unknown) => (problem.value = refused),
    );
  };
  return (
    <details onToggle={open}>
      <summary>{JOB.showCode}</summary>
      {problem.value !== undefined && <Failed problem={problem.value} retry={open} />}
      {text.value === undefined ? problem.value === undefined && <Loading /> : <pre tabIndex={0}>{text.value}</pre>}
    </details>
  );
}
