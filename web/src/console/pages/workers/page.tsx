/** The workers: sums of those that are connected, a list that the server filters and sorts, and the devices that answers came from. */

import "./workers.css";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { WorkerState, WorkerView } from "../../../api/types.gen.ts";
import type { WorkerQuery } from "../../../api/workers.ts";
import { useAnnounced } from "../../app/announce.tsx";
import { type Route } from "../../app/routes.ts";
import { replaceQuery } from "../../app/where.ts";
import type { Pages } from "../../data/pages.ts";
import { makeWorkerList } from "../../data/workers.ts";
import { Empty, Failed, Loading } from "../../parts/faces.tsx";
import { NothingFits } from "../../parts/filter.tsx";
import { PageHead } from "../../parts/head.tsx";
import { Copy } from "../../parts/id.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { OrderChoice } from "../../parts/orderchoice.tsx";
import { orderOf } from "../../parts/orders.ts";
import { ShowMore } from "../../table/table.tsx";
import { PARTS } from "../../words/parts.ts";
import { SORTS, WORKERS, shownText } from "../../words/workers.ts";
import { has } from "../people/who.ts";
import { Sums } from "./sums.tsx";
import { WorkerTable } from "./table.tsx";

/** Below what most people come for: a script of its own, with what lists of people are made of. */
const Devices = lazily(async () => (await import("./devicelist.tsx")).Devices);

const VOLUNTEERS = "/";
/** Somebody who writes has stopped for so long before the server is asked. */
const PAUSE_MS = 150;
const USUAL_SORT = SORTS[0].key;

export function WorkersPage({ route }: { readonly route: Route }) {
  const asked = useSignal(queryOf(route.query));
  const list = useMemo(() => makeWorkerList(asked.value), [asked.value]);
  useEffect(() => list.close, [list]);
  useEffect(() => {
    const { q, state, sort } = asked.value;
    const written = { q, state: state === "gone" ? state : "", sort: sort === USUAL_SORT ? "" : sort };
    replaceQuery(written);
  }, [asked.value]);
  const rows = list.rows.value;
  const told = rows === undefined ? "" : shownText(rows.length, list.next.value !== null);
  useAnnounced(told, JSON.stringify(asked.value));
  return (
    <div class="page" id="workers-page">
      <PageHead title={WORKERS.title} tab={WORKERS.title} />
      <p class="muted prose">{WORKERS.about}</p>
      <Sums />
      <Filter asked={asked.value} told={told} onChange={(change) => (asked.value = { ...asked.value, ...change })} />
      <Rows list={list} asked={asked.value} onClear={() => (asked.value = { ...asked.value, q: "" })} />
      {has("workers:read") && <Devices />}
    </div>
  );
}

function queryOf(query: URLSearchParams): WorkerQuery {
  const state: WorkerState = query.get("state") === "gone" ? "gone" : "connected";
  const sort = orderOf(SORTS, query.get("sort") ?? "").key;
  return { q: query.get("q") ?? "", state, sort: state === "gone" ? "" : sort };
}

interface Filtering {
  readonly asked: WorkerQuery;
  readonly told: string;
  readonly onChange: (change: Partial<WorkerQuery>) => void;
}

function Filter({ asked, told, onChange }: Filtering) {
  const writing = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(writing.current), []);
  const write = (q: string): void => {
    clearTimeout(writing.current);
    writing.current = setTimeout(() => onChange({ q }), PAUSE_MS);
  };
  const turn = (state: WorkerState): void => onChange({ state, sort: state === "gone" ? "" : USUAL_SORT });
  return (
    <form class="filter-bar" aria-label={WORKERS.filter} onSubmit={(event) => event.preventDefault()}>
      <label for="filter-worker">{WORKERS.name}</label>
      <input
        class="field"
        id="filter-worker"
        type="search"
        value={asked.q}
        maxLength={100}
        autocomplete="off"
        onInput={(event) => write(event.currentTarget.value)}
      />
      <label for="worker-state">{WORKERS.state}</label>
      <select class="field" id="worker-state" value={asked.state} onChange={(event) => turn(event.currentTarget.value as WorkerState)}>
        {Object.entries(WORKERS.states).map(([state, word]) => (
          <option key={state} value={state}>
            {word}
          </option>
        ))}
      </select>
      {asked.state === "connected" && (
        <OrderChoice id="worker-sort" orders={SORTS} now={asked.sort} choose={(sort) => onChange({ sort })} />
      )}
      <span class="muted counts">
        {told}
        <Copy text={WORKERS.listCommand(asked)} label={PARTS.copyCommand} />
      </span>
    </form>
  );
}

interface Shown {
  readonly list: Pages<WorkerView>;
  readonly asked: WorkerQuery;
  readonly onClear: () => void;
}

function Rows({ list, asked, onClear }: Shown) {
  const { next, busy, problem, since } = list;
  const rows = list.rows.value;
  const failed = problem.value !== undefined && (
    <Failed problem={problem.value} retry={list.again} shownSince={rows === undefined ? undefined : since.value} />
  );
  if (rows === undefined) return failed || <Loading />;
  const more = next.value !== null;
  if (rows.length === 0 && !more) return failed || <Nobody asked={asked} onClear={onClear} />;
  return (
    <section data-old={failed !== false}>
      <WorkerTable rows={rows} more={more} />
      {failed}
      <ShowMore id="more-workers" more={more} shown={rows.length} busy={busy.value} onMore={() => void list.extend()} />
    </section>
  );
}

function Nobody({ asked, onClear }: { readonly asked: WorkerQuery; readonly onClear: () => void }) {
  if (asked.q !== "") return <NothingFits noun={WORKERS.noun} clear={onClear} />;
  if (asked.state === "gone") return <Empty title={WORKERS.noneGone}>{WORKERS.noneGoneWords}</Empty>;
  const open = (
    <a class="button primary" href={VOLUNTEERS}>
      {WORKERS.open}
    </a>
  );
  return (
    <Empty id="no-workers" title={WORKERS.none} action={open} command={WORKERS.command}>
      {WORKERS.noneWords}
    </Empty>
  );
}
