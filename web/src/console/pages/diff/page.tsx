/** What two versions of a workflow differ in: their files, line by line, and the nodes and edges of their documents. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Route, editAddress, workflowAddress } from "../../app/routes.ts";
import { useTrail } from "../../app/trail.ts";
import { replaceQuery } from "../../app/where.ts";
import { type Version, loadCompared } from "../../data/edited.ts";
import { compareFiles } from "../../diff/versions.ts";
import { makeChecker, openChecking } from "../../editor/checker.ts";
import { type Files, contentsOf, documentOf } from "../../editor/files.ts";
import type { Outline } from "../../editor/said.ts";
import { Failed, Loading } from "../../parts/faces.tsx";
import { Filled } from "../../parts/filled.tsx";
import { PageHead } from "../../parts/head.tsx";
import { DIFF } from "../../words/diff.ts";
import { SHORT } from "../../words/workflows.ts";
import { FileDiff } from "./filediff.tsx";
import { GraphDiff } from "./graphdiff.tsx";
import "./diff.css";

interface Compared {
  readonly old: Version;
  readonly fresh: Version;
  /** `undefined` where a document cannot be read. */
  readonly outlines: readonly [Outline, Outline] | undefined;
}

export function DiffPage({ route: { id: from, tab: to, query } }: { readonly route: Route }) {
  return <Diff key={`${from} ${to}`} from={from} to={to} asked={query.get("columns")} />;
}

interface Asked {
  readonly from: string;
  readonly to: string;
  /** How many columns the address names. */
  readonly asked: string | null;
}

function Diff({ from, to, asked }: Asked) {
  const compared = useSignal<Compared | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const begin = (): void => {
    problem.value = undefined;
    load(from, to).then(
      (found) => (compared.value = found),
      (refused: unknown) => (problem.value = refused),
    );
  };
  useEffect(begin, []);
  const name = compared.value?.fresh.name;
  const above = name === undefined ? [] : [{ name, address: workflowAddress(name) }];
  useTrail({ steps: [...above, { name: DIFF.title }] });
  const columns = useSignal(asked === "2" || (asked !== "1" && matchMedia("(width >= 64rem)").matches));
  return (
    <div class="page" id="diff-page">
      <PageHead title={DIFF.title} tab={DIFF.title} actions={<Actions compared={compared.value} to={to} />} />
      <p class="muted">
        <Filled text={DIFF.versions} holes={{ from: <Short hash={from} />, to: <Short hash={to} /> }} />
      </p>
      {problem.value !== undefined && <Failed problem={problem.value} retry={begin} />}
      {compared.value === undefined ? (
        problem.value === undefined && <Loading />
      ) : (
        <Found compared={compared.value} columns={columns} versions={[from, to]} />
      )}
    </div>
  );
}

function Short({ hash }: { readonly hash: string }) {
  return <code title={hash}>{hash.slice(0, SHORT)}</code>;
}

async function load(from: string, to: string): Promise<Compared> {
  const [old, fresh] = await Promise.all([loadCompared(from), loadCompared(to)]);
  const outlines = await outlinesOf([old.files, fresh.files]);
  return { old, fresh, outlines };
}

async function outlinesOf(versions: readonly [Files, Files]): Promise<readonly [Outline, Outline] | undefined> {
  const checker = makeChecker(openChecking, () => undefined);
  try {
    const [one, other] = versions;
    const first = await outlineOf(checker, one);
    const second = first && (await outlineOf(checker, other));
    return first === undefined || second === undefined ? undefined : [first, second];
  } finally {
    checker.end();
  }
}

async function outlineOf(checker: ReturnType<typeof makeChecker>, files: Files): Promise<Outline | undefined> {
  const document = documentOf(files)?.text;
  if (document === undefined) return undefined;
  const found = await checker.check(contentsOf(files), document);
  return found?.outline ?? undefined;
}

function Actions({ compared, to }: { readonly compared: Compared | undefined; readonly to: string }) {
  if (compared === undefined) return null;
  return (
    <a class="button" href={editAddress(compared.fresh.name, to)}>
      {DIFF.edit}
    </a>
  );
}

interface Shown {
  readonly compared: Compared;
  readonly columns: { value: boolean };
  /** Content hashes of the older version and the newer one. */
  readonly versions: readonly [string, string];
}

function Found({ compared, columns, versions }: Shown) {
  const files = compareFiles(compared.old.files, compared.fresh.files);
  const others = files.filter(({ state }) => state !== "same");
  if (others.length === 0) return <p>{DIFF.same}</p>;
  return (
    <>
      <section aria-labelledby="changed-files">
        <h2 id="changed-files">{DIFF.files}</h2>
        <ul class="plain-rows">
          {files.map(({ path, state }) => (
            <li key={path} data-state={state}>
              <code>{path}</code>
              <span class="change-word">{DIFF.state[state]}</span>
            </li>
          ))}
        </ul>
      </section>
      <label class="option-line">
        <input
          type="checkbox"
          id="two-columns"
          checked={columns.value}
          onChange={(event) => {
            columns.value = event.currentTarget.checked;
            replaceQuery({ columns: columns.value ? "2" : "1" });
          }}
        />
        {DIFF.columns}
      </label>
      {others.map((change) => (
        <FileDiff key={change.path} change={change} columns={columns.value} />
      ))}
      {compared.outlines === undefined ? (
        <p class="muted">{DIFF.noGraph}</p>
      ) : (
        <GraphDiff outlines={compared.outlines} versions={versions} />
      )}
    </>
  );
}
