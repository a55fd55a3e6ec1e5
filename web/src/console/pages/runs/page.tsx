/** The list of runs, filtered by what stands in the address. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { RunState, RunSummary } from "../../../api/types.gen.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { Icon } from "../../parts/icon.tsx";
import { type Route, RUNS as ADDRESS, replaceQuery } from "../../app/routes.ts";
import { mayStart } from "../../data/projects.ts";
import { type RunList, makeRunList } from "../../data/runs.ts";
import { Empty, Failed, Loading } from "../../parts/faces.tsx";
import { PageHead } from "../../parts/head.tsx";
import { ShowMore } from "../../table/table.tsx";
import { PARTS } from "../../words/parts.ts";
import { RUNS } from "../../words/runs.ts";
import { RUN_STATES } from "../../words/states.ts";
import { pickFolder } from "../workflows/upload.tsx";
import { RunTable } from "./columns.tsx";

export function RunsPage({ route }: { readonly route: Route }) {
  const state = useSignal(stateIn(route.query.get("state")));
  const name = useSignal(route.query.get("q") ?? "");
  const workflow = route.query.get("workflow");
  const list = useMemo(() => makeRunList({ state: state.value, workflow }), [state.value, workflow]);
  useEffect(() => list.close, [list]);
  useEffect(() => {
    if (location.hash.startsWith(ADDRESS)) replaceQuery({ state: state.value ?? "", q: name.value, workflow: workflow ?? "" });
  }, [state.value, name.value]);
  const clear = (): void => {
    [state.value, name.value] = [null, ""];
    if (workflow !== null) location.hash = ADDRESS;
  };
  const fits = (run: RunSummary): boolean => run.name.toLowerCase().includes(name.value.trim().toLowerCase());
  const shown = PARTS.shown(list.rows.value.filter(fits).length, "run");
  useAnnounced(shown, `${state.value} ${name.value}`);
  return (
    <div class="page" id="runs-page">
      <PageHead
        title={RUNS.title}
        tab={RUNS.title}
        beside={workflow !== null && <code title={workflow}>{workflow.slice(0, 12)}</code>}
        actions={mayStart() && <UploadButton />}
      />
      <form class="filter-bar" aria-label={RUNS.filter} onSubmit={(event) => event.preventDefault()}>
        <label for="filter-state">{RUNS.state}</label>
        <select
          class="field"
          id="filter-state"
          value={state.value ?? ""}
          onChange={(event) => (state.value = stateIn(event.currentTarget.value))}
        >
          <option value="">{RUNS.all}</option>
          {RUN_STATES.map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
        <label for="filter-name">{RUNS.name}</label>
        <input
          class="field"
          id="filter-name"
          type="search"
          value={name.value}
          autocomplete="off"
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
        <span class="muted counts">{list.known.value && shown}</span>
      </form>
      <Rows list={list} fits={fits} filtered={state.value !== null || workflow !== null || name.value !== ""} clear={clear} />
    </div>
  );
}

interface Shown {
  readonly list: RunList;
  readonly fits: (run: RunSummary) => boolean;
  readonly filtered: boolean;
  readonly clear: () => void;
}

function Rows({ list, fits, filtered, clear }: Shown) {
  const { known, more, busy, problem } = list;
  const rows = list.rows.value.filter(fits);
  const failed = problem.value !== undefined && <Failed problem={problem.value} retry={() => void list.load()} />;
  if (!known.value) return failed || <Loading />;
  if (rows.length === 0 && !more.value) return failed || (filtered ? <NothingFits clear={clear} /> : <NoRuns />);
  return (
    <section>
      <RunTable id="runs" rows={rows} more={more.value} />
      {failed}
      <ShowMore id="earlier-runs" more={more.value} shown={rows.length} busy={busy.value} onMore={() => void list.load()} />
    </section>
  );
}

function NothingFits({ clear }: { readonly clear: () => void }) {
  const button = (
    <button class="button" type="button" onClick={clear}>
      {PARTS.clear}
    </button>
  );
  return (
    <Empty title={RUNS.nothingFits} action={button}>
      {RUNS.nothingFitsWords}
    </Empty>
  );
}

export function NoRuns() {
  return (
    <Empty id="no-runs" title={RUNS.none} action={mayStart() && <UploadButton />} command={RUNS.command}>
      {RUNS.noneWords}
    </Empty>
  );
}

export function UploadButton() {
  return (
    <button class="button primary" type="button" onClick={pickFolder}>
      <Icon name="upload" />
      {RUNS.upload}
    </button>
  );
}

function stateIn(text: string | null): RunState | null {
  return RUN_STATES.find(([state]) => state === text)?.[0] ?? null;
}
