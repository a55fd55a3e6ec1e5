/** The code of a job as text, with the line marked at which it failed. Read once it is opened: most people ask for none. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { JobHistory } from "../../../api/types.gen.ts";
import { readCode } from "../../data/code.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { type OfWork, usePanel } from "../../parts/opened.ts";
import { JOB } from "../../words/job.ts";
import { aroundLine, failingLine } from "./failing.ts";

/** What a job computes, or is to compute. */
type Code = Pick<JobHistory, "code" | "source" | "attempts">;

interface Shown {
  readonly history: Code;
  readonly of?: OfWork;
}

export function CodeText({ history: { code, source, attempts }, of = "" }: Shown) {
  const { panel, wasOpened } = usePanel(`${of}code`);
  const text = useSignal<string | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const line = failingLine(source, attempts);
  const read = (): void => {
    problem.value = undefined;
    readCode(code).then(
      (found) => (text.value = found ?? JOB.module),
      (refused: unknown) => (problem.value = refused),
    );
  };
  useEffect(() => {
    if (wasOpened) read();
  }, [wasOpened]);
  return (
    <details class="code-text" {...panel}>
      <summary>{line === undefined ? JOB.showCode : JOB.showFailing(line)}</summary>
      {problem.value !== undefined && <Failed problem={problem.value} retry={read} />}
      {text.value === undefined ? problem.value === undefined && <Loading /> : <Lines text={text.value} line={line} />}
    </details>
  );
}

function Lines({ text, line }: { readonly text: string; readonly line: number | undefined }) {
  const parts = line === undefined ? undefined : aroundLine(text, line);
  if (line === undefined || parts === undefined) return <pre tabIndex={0}>{text}</pre>;
  const [before, failing, behind] = parts;
  return (
    <pre tabIndex={0}>
      {before}
      <Failing text={failing} line={line} />
      {behind}
    </pre>
  );
}

/** In sight as soon as the text is. */
function Failing({ text, line }: { readonly text: string; readonly line: number }) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => place.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <mark ref={place} class="failing-line" data-line={line}>
      <span class="unseen">{JOB.failedHere(line)}</span>
      {text}
    </mark>
  );
}
