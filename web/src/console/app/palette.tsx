/**
 * The palette: one field that finds pages, runs, workflows and ids, and does what can be done here.
 *
 * Owns the dialog. What fits is decided in `entries.ts`.
 */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { RunSummary } from "../../api/types.gen.ts";
import { findRuns, nameOfVersion } from "../data/search.ts";
import { findWorkflows } from "../data/workflows.ts";
import { newestRuns } from "../live/news.ts";
import { Icon } from "../parts/icon.tsx";
import { has } from "../pages/people/who.ts";
import { mayStart } from "../data/projects.ts";
import { pickFolder } from "../pages/workflows/upload.tsx";
import { PALETTE } from "../words/frame.ts";
import { type Entry, fitting, idEntries, runEntries, workflowEntries } from "./entries.ts";
import { PLACES as LETTERS } from "./keys.ts";
import { offeredHere } from "./offered.ts";
import { openPlaces } from "./places.ts";
import { choose, prefs } from "./prefs.ts";
import { RUNS, versionAddress, withQuery } from "./routes.ts";
import { Floating, closeFloating } from "./floating.tsx";
import { floating } from "./shortcuts.ts";

/** The server is asked for names once nobody has written for so long. */
const ASK_MS = 150;
const THEMES = ["light", "dark", "system"] as const;

export function Palette() {
  return (
    <Floating name="palette" label={PALETTE.title}>
      <Finder />
    </Floating>
  );
}

function Finder() {
  const asked = useSignal("");
  const at = useSignal(0);
  const { runs, workflows } = useFound(asked.value.trim());
  const all = [...offeredHere(), ...pages(), ...general(), ...(asked.value === "" ? [] : [...runs, ...workflows])];
  const found = [...idEntries(asked.value, (hash) => void openVersion(hash)), ...fitting(all, asked.value)];
  const chosen = Math.min(at.value, found.length - 1);
  const press = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) at.value = (chosen + by + found.length) % Math.max(1, found.length);
    else if (event.key === "Enter") go(found[chosen]);
    else return;
    event.preventDefault();
  };
  const write = (text: string): void => {
    [asked.value, at.value] = [text, 0];
  };
  return (
    <div class="finder">
      <input
        class="field"
        id="palette-field"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[chosen] === undefined ? undefined : optionId(chosen)}
        aria-label={PALETTE.field}
        placeholder={PALETTE.field}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={press}
      />
      <Options found={found} chosen={chosen} />
      <p class="muted hint">{found.length === 0 ? PALETTE.nothing : PALETTE.hint}</p>
    </div>
  );
}

interface Found {
  readonly runs: readonly Entry[];
  readonly workflows: readonly Entry[];
}

/** By name: the newest runs at once, all others and workflows once the server has answered. What it says of an older text is dropped. */
function useFound(asked: string): Found {
  const told = useSignal<{ readonly runs: readonly RunSummary[]; readonly workflows: readonly Entry[] }>({ runs: [], workflows: [] });
  useEffect(() => {
    if (asked === "" || !has("runs:read")) return undefined;
    let old = false;
    const look = async (): Promise<void> => {
      const [runs, workflows] = await Promise.all([findRuns(asked), findWorkflows()]);
      if (!old) told.value = { runs, workflows: workflowEntries(workflows) };
    };
    const timer = setTimeout(() => void look(), ASK_MS);
    return () => {
      old = true;
      clearTimeout(timer);
    };
  }, [asked]);
  const runs = new Map([...(newestRuns.value ?? []), ...told.value.runs].map((run) => [run.id, run]));
  return { runs: runEntries([...runs.values()]), workflows: told.value.workflows };
}

/** Its runs, where nobody knows how it is called. */
async function openVersion(hash: string): Promise<void> {
  const name = await nameOfVersion(hash);
  location.hash = name === undefined ? withQuery(RUNS, { workflow: hash }) : versionAddress(name, hash);
}

function Options({ found, chosen }: { readonly found: readonly Entry[]; readonly chosen: number }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const parts = [...new Set(found.map(({ part }) => part))];
  return (
    <div class="options" id="palette-list" role="listbox" aria-label={PALETTE.title} ref={list}>
      {parts.map((part) => (
        <div key={part} role="group" aria-label={part}>
          <p class="part" aria-hidden="true">
            {part}
          </p>
          {found.map(
            (entry, index) => entry.part === part && <Option key={entry.id} entry={entry} index={index} here={index === chosen} />,
          )}
        </div>
      ))}
    </div>
  );
}

function Option({ entry, index, here }: { readonly entry: Entry; readonly index: number; readonly here: boolean }) {
  return (
    <div class="option" id={optionId(index)} role="option" aria-selected={here} onClick={() => go(entry)}>
      <Icon name={entry.icon} />
      <span>{entry.name}</span>
      <span class="muted">{entry.hint}</span>
      {entry.key !== undefined && entry.key !== "" && <kbd>{entry.key}</kbd>}
    </div>
  );
}

function optionId(index: number): string {
  return `palette-option-${index}`;
}

function go(entry: Entry | undefined): void {
  if (entry === undefined) return;
  closeFloating();
  if (typeof entry.to !== "string") entry.to();
  else if (entry.to.startsWith("#")) location.hash = entry.to;
  else location.assign(entry.to);
}

function pages(): readonly Entry[] {
  return openPlaces().map(({ id, name, address }) => {
    const letter = Object.keys(LETTERS).find((key) => LETTERS[key] === id);
    return { id, part: PALETTE.pages, name, hint: "", key: letter === undefined ? "" : `g ${letter}`, icon: id, to: address };
  });
}

function general(): readonly Entry[] {
  const themes = THEMES.filter((theme) => theme !== prefs.value.theme).map((theme) => {
    return { id: `theme-${theme}`, name: PALETTE.theme[theme], icon: "settings", to: () => choose({ theme }) };
  });
  const upload = mayStart() ? [{ id: "upload", name: PALETTE.upload, icon: "upload", to: pickFolder }] : [];
  const keys = { id: "keys", name: PALETTE.keys, key: "?", icon: "keys", to: () => void (floating.value = "keys") };
  return [...upload, ...themes, keys].map((entry) => ({ ...entry, part: PALETTE.actions, hint: "" }));
}
