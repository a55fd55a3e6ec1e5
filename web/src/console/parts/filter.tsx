/** The filter of a list that is at hand: the bar above it with how many fit, and what stands there where nothing does. */

import type { Signal } from "@preact/signals";
import { useAnnounced } from "../app/announce.tsx";
import { PARTS } from "../words/parts.ts";
import { Empty } from "./faces.tsx";
import { Copy } from "./id.tsx";

interface Filtering {
  readonly id: string;
  /** What is filtered, for those who do not see it. */
  readonly name: string;
  /** What somebody may write. */
  readonly label: string;
  readonly asked: Signal<string>;
  /** How many are listed of how many, in words. */
  readonly counts: string;
  /** What lists the same in a shell; left out where nothing does. */
  readonly command?: string;
}

export function FilterBar({ id, name, label, asked, counts, command }: Filtering) {
  useAnnounced(counts, asked.value);
  return (
    <form class="filter-bar" aria-label={name} onSubmit={(event) => event.preventDefault()}>
      <label for={id}>{label}</label>
      <input
        class="field"
        id={id}
        type="search"
        value={asked.value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => (asked.value = event.currentTarget.value)}
      />
      <span class="muted counts">
        {counts}
        {command !== undefined && <Copy text={command} label={PARTS.copyCommand} />}
      </span>
    </form>
  );
}

interface Unfit {
  readonly noun: string;
  /** What else is said of it. */
  readonly words?: string;
  readonly clear: () => void;
}

export function NothingFits({ noun, words = PARTS.nothingFitsWords, clear }: Unfit) {
  const button = (
    <button class="button" type="button" onClick={clear}>
      {PARTS.clear}
    </button>
  );
  return (
    <Empty title={PARTS.nothingFits(noun)} action={button}>
      {words}
    </Empty>
  );
}
