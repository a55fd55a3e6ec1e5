/** The tools of a graph: find, follow, table, zoom, the next that failed. Each says which key does the same; the keys are the graph's. */

import { useSignal } from "@preact/signals";
import type { Sight } from "../graph/address.ts";
import { ZOOM_STEP } from "../graph/walk.ts";
import { GRAPH } from "../words/graphtext.ts";
import { isNarrow } from "./narrow.ts";

interface Shown {
  readonly sight: Sight;
  readonly set: (change: Partial<Sight>) => void;
  readonly find: (text: string) => void;
  readonly nextFailed: () => void;
  readonly longest: () => void;
  /** Whether something in it runs, or has run. */
  readonly lives: boolean;
  /** 0 fits it; left out where there is no picture. */
  readonly zoom: ((factor: number) => void) | undefined;
}

export function Tools({ sight, set, find, nextFailed, longest, lives, zoom }: Shown) {
  const text = useSignal("");
  const submit = (event: Event): void => {
    event.preventDefault();
    find(text.value);
  };
  return (
    <form class="filter-bar graph-tools" role="search" aria-label={GRAPH.tools} onSubmit={submit}>
      <input
        class="field"
        id="graph-find"
        type="search"
        aria-label={GRAPH.find}
        placeholder={GRAPH.find}
        autocomplete="off"
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      {lives && (
        <>
          <Toggle id="graph-follow" letter="f" on={sight.follow} name={GRAPH.follow} press={() => set({ follow: !sight.follow })} />
          <button class="button small" id="graph-failed" type="button" aria-keyshortcuts="e" onClick={nextFailed}>
            {GRAPH.nextFailed}
          </button>
          <button class="button small" id="graph-longest" type="button" aria-keyshortcuts="l" onClick={longest}>
            {GRAPH.longest}
          </button>
        </>
      )}
      {!isNarrow.value && (
        <Toggle id="graph-table" letter="t" on={sight.table} name={GRAPH.table} press={() => set({ table: !sight.table })} />
      )}
      {zoom !== undefined && (
        <span class="buttons">
          <Zoom id="graph-out" name={GRAPH.zoomOut} sign="−" press={() => zoom(1 / ZOOM_STEP)} />
          <Zoom id="graph-in" name={GRAPH.zoomIn} sign="+" press={() => zoom(ZOOM_STEP)} />
          <button class="button small" id="graph-fit" type="button" aria-keyshortcuts="0" onClick={() => zoom(0)}>
            {GRAPH.fit}
          </button>
        </span>
      )}
    </form>
  );
}

interface Pressed {
  readonly id: string;
  readonly name: string;
  readonly press: () => void;
}

function Toggle({ id, on, name, letter, press }: Pressed & { readonly on: boolean; readonly letter: string }) {
  return (
    <button class="button small" id={id} type="button" aria-pressed={on} aria-keyshortcuts={letter} onClick={press}>
      {name}
    </button>
  );
}

function Zoom({ id, name, sign, press }: Pressed & { readonly sign: string }) {
  return (
    <button class="button small" id={id} type="button" aria-label={name} title={name} aria-keyshortcuts={sign} onClick={press}>
      {sign}
    </button>
  );
}
