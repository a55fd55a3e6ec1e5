/** The list of runs, filtered by what stands in the address; the server looks for them. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { RunState } from "../../../api/types.gen.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { Icon } from "../../parts/icon.tsx";
import { type Route, RUNS as ADDRESS } from "../../app/routes.ts";
import { replaceQuery } from "../../app/where.ts";
import { mayStart } from "../../data/projects.ts";
import { type RunList, type RunSort, makeRunList } from "../../data/runs.ts";
import { MOST_CHARS } from "../../data/search.ts";
import { Empty, Failed, Loading } from "../../parts/faces.tsx";
import { NothingFits } from "../../parts/filter.tsx";
import { PageHead } from "../../parts/head.tsx";
import { Copy } from "../../parts/id.tsx";
import { OrderChoice } from "../../parts/orderchoice.tsx";
import { orderOf } from "../../parts/orders.ts";
import { ShowMore } from "../../table/table.tsx";
import { useLatest } from "../../parts/latest.ts";
import { SearchField } from "../../parts/searchfield.tsx";
import { PARTS } from "../../words/parts.ts";
import { RUNS, RUN_SORTS } from "../../words/runs.ts";
import { RUN_STATES } from "../../words/states.ts";
import { pickFolder } from "../workflows/upload.tsx";
import { RunTable } from "./columns.tsx";
import { Examples } from "./examples.tsx";

export function RunsPage({ route }: { readonly route: Route }) {
  const state = useSignal(stateIn(route.query.get("state")));
  const name = useSignal((route.query.get("q") ?? "").slice(0, MOST_CHARS));
  const asked = name.value.trim();
  const workflow = route.query.get("workflow");
  const sort = useSignal(orderOf(RUN_SORTS, route.query.get("sort") ?? "").key);
  const filter = { state: state.value, workflow, q: asked, sort: sort.value };
  const list = useMemo(() => makeRunList(filter), Object.values(filter));
  useEffect(() => list.close, [list]);
  useEffect(() => {
    const sorted = sort.value === RUN_SORTS[0].key ? "" : sort.value;
    replaceQuery({ state: state.value ?? "", q: name.value, workflow: workflow ?? "", sort: sorted });
  }, [state.value, name.value, sort.value]);
  const clear = (): void => {
    [state.value, name.value] = [null, ""];
    if (workflow !== null) location.hash = ADDRESS;
  };
  const shown = useLatest(list, list.known.value || list.problem.value !== undefined);
  const counts = list.known.value ? PARTS.shown(list.rows.value.length, "run") : "";
  useAnnounced(counts, JSON.stringify(filter));
  return (
    <div class="page" id="runs-page">
      <PageHead
        title={RUNS.title}
        tab={RUNS.title}
        beside={workflow !== null && <code title={workflow}>{workflow.slice(0, 12)}</code>}
        actions={mayStart() && <UploadButton />}
      />
      <Filter state={state} name={name} sort={sort} counts={counts} command={RUNS.listCommand(filter)} />
      <Rows list={shown} filtered={state.value !== null || workflow !== null || asked !== ""} clear={clear} />
    </div>
  );
}

interface Filtering {
  readonly state: Signal<RunState | null>;
  readonly name: Signal<string>;
  readonly sort: Signal<RunSort>;
  /** Empty until the server has answered, and so knows the workflow of the address. */
  readonly counts: string;
  /** What lists the same in a shell. */
  readonly command: string;
}

function Filter({ state, name, sort, counts, command }: Filtering) {
  return (
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
      <SearchField id="filter-name" label={RUNS.name} text={name.value} change={(written) => (name.value = written)} />
      <OrderChoice id="run-sort" orders={RUN_SORTS} now={sort.value} choose={(key) => (sort.value = orderOf(RUN_SORTS, key).key)} />
      <span class="muted counts">
        {counts}
        {counts !== "" && <Copy text={command} label={PARTS.copyCommand} />}
      </span>
    </form>
  );
}

interface Shown {
  readonly list: RunList;
  readonly filtered: boolean;
  readonly clear: () => void;
}

function Rows({ list, filtered, clear }: Shown) {
  const { known, more, busy, problem, since } = list;
  const rows = list.rows.value;
  const failed = problem.value !== undefined && (
    <Failed problem={problem.value} retry={() => void list.load()} shownSince={known.value ? since.value : undefined} />
  );
  if (!known.value) return failed || <Loading />;
  if (rows.length === 0 && !more.value)
    return failed || (filtered ? <NothingFits noun={RUNS.noun} words={RUNS.nothingFitsWords} clear={clear} /> : <NoRuns />);
  return (
    <section data-old={failed !== false}>
      <RunTable id="runs" rows={rows} more={more.value} />
      {failed}
      <ShowMore id="earlier-runs" more={more.value} shown={rows.length} busy={busy.value} onMore={() => void list.load()} />
    </section>
  );
}

export function NoRuns() {
  return (
    <Empty id="no-runs" title={RUNS.none} action={mayStart() && <Examples />} command={RUNS.command}>
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
