/**
 * The palette: one field that finds pages, runs, workflows and ids, and does what can be done here.
 *
 * Owns the dialog. What fits is decided in `entries.ts`.
 */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { findWorkflows } from "../data/workflows.ts";
import { newestRuns } from "../live/news.ts";
import { Icon } from "../parts/icon.tsx";
import { has } from "../pages/people/who.ts";
import { mayStart } from "../data/projects.ts";
import { pickFolder } from "../pages/workflows/upload.tsx";
import { PALETTE } from "../words/frame.ts";
import { pageActions } from "./actions.ts";
import { type Entry, fitting, idEntries, runEntries, workflowEntries } from "./entries.ts";
import { openPlaces } from "./places.ts";
import { choose, prefs } from "./prefs.ts";
import { Floating } from "./floating.tsx";
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
  const workflows = useSignal<readonly Entry[]>([]);
  useEffect(() => {
    if (!has("runs:read")) return undefined;
    const timer = setTimeout(() => void findWorkflows().then((found) => (workflows.value = workflowEntries(found))), ASK_MS);
    return () => clearTimeout(timer);
  }, [asked.value]);
  const runs = runEntries(newestRuns.value ?? []);
  const all = [...ofPage(), ...pages(), ...general(), ...(asked.value === "" ? [] : [...runs, ...workflows.value])];
  const found = [...idEntries(asked.value), ...fitting(all, asked.value)];
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
    </div>
  );
}

function optionId(index: number): string {
  return `palette-option-${index}`;
}

function go(entry: Entry | undefined): void {
  if (entry === undefined) return;
  floating.value = undefined;
  if (typeof entry.to !== "string") entry.to();
  else if (entry.to.startsWith("#")) location.hash = entry.to;
  else location.assign(entry.to);
}

function pages(): readonly Entry[] {
  return openPlaces().map(({ id, name, address }) => ({ id, part: PALETTE.pages, name, hint: "", icon: id, to: address }));
}

function ofPage(): readonly Entry[] {
  return pageActions.value.map(({ id, name, act }) => ({ id, part: PALETTE.actions, name, hint: "", icon: "right", to: act }));
}

function general(): readonly Entry[] {
  const themes = THEMES.filter((theme) => theme !== prefs.value.theme).map((theme) => {
    return { id: `theme-${theme}`, name: PALETTE.theme[theme], icon: "settings", to: () => choose({ theme }) };
  });
  const upload = mayStart() ? [{ id: "upload", name: PALETTE.upload, icon: "upload", to: pickFolder }] : [];
  const keys = { id: "keys", name: PALETTE.keys, icon: "keys", to: () => void (floating.value = "keys") };
  return [...upload, ...themes, keys].map((entry) => ({ ...entry, part: PALETTE.actions, hint: "" }));
}
