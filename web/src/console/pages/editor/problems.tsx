/** What the checker says of the files as they are written, each problem a way to its place, with the cure where the help names one. */

import { useEffect } from "preact/hooks";
import type { DiagnosticView } from "../../../api/types.gen.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { errorAddress } from "../../app/routes.ts";
import { cureOf } from "../../editor/cure.ts";
import { placeOf } from "../../editor/places.ts";
import type { Findings, Place } from "../../editor/said.ts";
import type { TextView } from "../../editor/text-view.ts";
import { EDITOR } from "../../words/editor.ts";
import { linesOf } from "./lines.ts";
import type { Session } from "./session.ts";

interface Shown {
  readonly session: Session;
  readonly view: { readonly current: TextView | undefined };
  readonly select: (path: string, at: (view: TextView) => Place) => void;
}

export function Problems({ session, view, select }: Shown) {
  const findings = session.findings.value;
  const shown = session.shown.value;
  useEffect(() => {
    const own = findings?.checked.diagnostics.filter(({ file }) => file === shown?.path) ?? [];
    if (!session.checking.value) view.current?.mark(own);
  }, [findings, shown?.path, session.checking.value]);
  return (
    <section class="problems" aria-labelledby="problems-title">
      <h2 id="problems-title">{EDITOR.problems}</h2>
      <Summary session={session} findings={findings} />
      <ul class="diagnostics">
        {(findings?.checked.diagnostics ?? []).map((found, at) => (
          <Problem key={at} found={found} session={session} view={view} select={select} />
        ))}
      </ul>
    </section>
  );
}

function Summary({ session, findings }: { readonly session: Session; readonly findings: Findings | undefined }) {
  const words = wordsOf(session, findings);
  useAnnounced(words, words);
  return (
    <div id="checked" data-state={stateOf(session, findings)}>
      <p class="muted">{words}</p>
      {findings !== undefined && findings.checked.unread.length > 0 && <p class="muted">{EDITOR.notHere(findings.checked.unread)}</p>}
    </div>
  );
}

function stateOf(session: Session, findings: Findings | undefined): string {
  if (session.trapped.value) return "trapped";
  if (session.checking.value || findings === undefined) return "checking";
  return findings.checked.sound ? "sound" : "broken";
}

function wordsOf(session: Session, findings: Findings | undefined): string {
  if (session.trapped.value) return EDITOR.restarted;
  if (findings === undefined) return EDITOR.checking;
  const { refused, diagnostics } = findings.checked;
  if (refused !== null) return refused;
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return diagnostics.length === 0 ? EDITOR.none : EDITOR.found(errors, diagnostics.length - errors);
}

function Problem({ found, session, view, select }: Shown & { readonly found: DiagnosticView }) {
  const { severity, code, file, line, column, message, help } = found;
  const text = session.files.value.find((one) => one.path === file)?.text;
  const go = (): void => select(file, (shown) => shown.placeOf(found));
  const cure = text === undefined ? undefined : cureOf(text, placeOf(linesOf(text), found), found);
  const apply = (): void => {
    if (cure === undefined) return;
    session.show(file);
    requestAnimationFrame(() => view.current?.change(cure));
  };
  return (
    <li data-code={code}>
      <p>
        <span class="badge" data-tone={severity === "error" ? "bad" : "busy"}>
          {severity}
        </span>{" "}
        <a href={errorAddress(code)}>{code}</a>{" "}
        <button class="leads" type="button" onClick={go}>
          {`${file}:${line}:${column}`}
        </button>
      </p>
      <p>{message}</p>
      {help !== null && <p class="muted">{help}</p>}
      {cure !== undefined && !session.checking.value && (
        <button class="button small cure" type="button" onClick={apply}>
          {cure.title}
        </button>
      )}
    </li>
  );
}
