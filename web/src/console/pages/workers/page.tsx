/** The workers: those that are connected, with what each does, and the devices that answers came from. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { WorkerView } from "../../../api/types.gen.ts";
import { type Route, WORKERS as ADDRESS, replaceQuery } from "../../app/routes.ts";
import { fleet } from "../../live/news.ts";
import { Empty, Loading } from "../../parts/faces.tsx";
import { PageHead } from "../../parts/head.tsx";
import { ShowMore } from "../../table/table.tsx";
import { fleetLine } from "../../words/devicetext.ts";
import { PARTS } from "../../words/parts.ts";
import { WORKERS } from "../../words/workers.ts";
import { has } from "../people/who.ts";
import { makeDevices } from "./devices.ts";
import { WorkerTable } from "./table.tsx";

/** Rows that one press of the button brings. */
const PAGE = 200;
const VOLUNTEERS = "/";

export function WorkersPage({ route }: { readonly route: Route }) {
  const name = useSignal(route.query.get("q") ?? "");
  useEffect(() => {
    if (location.hash.startsWith(ADDRESS)) replaceQuery({ q: name.value });
  }, [name.value]);
  const known = fleet.value;
  return (
    <div class="page" id="workers-page">
      <PageHead title={WORKERS.title} tab={WORKERS.title} />
      <p class="muted prose">{WORKERS.about}</p>
      {known !== undefined && known.workers.length > 0 && (
        <form class="filter-bar" aria-label={WORKERS.filter} onSubmit={(event) => event.preventDefault()}>
          <label for="filter-worker">{WORKERS.name}</label>
          <input
            class="field"
            id="filter-worker"
            type="search"
            value={name.value}
            autocomplete="off"
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
          <span class="muted counts">{fleetLine(known)}</span>
        </form>
      )}
      {known === undefined ? <Loading /> : <Connected workers={known.workers} asked={name.value} onClear={() => (name.value = "")} />}
      {has("workers:read") && <Devices />}
    </div>
  );
}

interface Shown {
  readonly workers: readonly WorkerView[];
  readonly asked: string;
  readonly onClear: () => void;
}

function Connected({ workers, asked, onClear }: Shown) {
  const most = useSignal(PAGE);
  const words = asked.trim().toLowerCase();
  const fits = ({ agent, id, device = "" }: WorkerView): boolean => `${agent} ${id} ${device}`.toLowerCase().includes(words);
  const rows = [...workers].filter(fits).sort((one, other) => other.inFlight - one.inFlight || (one.id < other.id ? -1 : 1));
  if (workers.length === 0) {
    return (
      <Empty
        id="no-workers"
        title={WORKERS.none}
        action={
          <a class="button primary" href={VOLUNTEERS}>
            {WORKERS.open}
          </a>
        }
      >
        {WORKERS.noneWords}
      </Empty>
    );
  }
  if (rows.length === 0) {
    return (
      <Empty
        title={WORKERS.nothingFits}
        action={
          <button class="button" type="button" onClick={onClear}>
            {PARTS.clear}
          </button>
        }
      >
        {WORKERS.nothingFitsWords}
      </Empty>
    );
  }
  const more = rows.length > most.value;
  return (
    <section>
      <WorkerTable rows={rows.slice(0, most.value)} more={more} />
      <ShowMore id="more-workers" more={more} shown={most.value} busy={false} onMore={() => (most.value += PAGE)} />
    </section>
  );
}

/** A list that is made by hand. */
function Devices() {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(makeDevices());
  }, []);
  return <section class="panel people" ref={place} />;
}
