/**
 * Which panels of the page are open: those that the address names in `panels`, so that what is copied shows the same to others.
 *
 * Owns that entry alone. A panel is a `<details>` with a name of its own; names that no panel has change nothing. A form that is folded
 * away is no panel: opening it begins something, and is nothing to look at.
 */

import { useSignal } from "@preact/signals";
import type { TargetedEvent } from "preact";
import type { NodeKind } from "../../api/types.gen.ts";
import { listIn, listText } from "../app/routes.ts";
import { entryShown, replaceEntry } from "../app/where.ts";

/** Empty on the page of a job; beside a graph, what the node has the job for. */
export type OfWork = "" | `${NodeKind}-`;

/** What addresses call a panel. People have copied them: a name keeps its meaning. */
export type PanelName =
  /** What a job was given. */
  | "input"
  | `${OfWork}code`
  /** What an attempt has logged, by the attempt's number. */
  | `${OfWork}log-${number}`
  /** The value of a node that has not ended. */
  | "node-value"
  /** What comes in at a port, by the port and the node that it comes from. */
  | `value-${string}`
  /** The table of a chart, by the chart's id. */
  | `table-${string}`
  /** The shipped workflows. */
  | "examples"
  /** What somebody may do, or the bearer of a token. */
  | "may"
  | `may-${string}`;

/** Panels that one address opens; somebody who opens more is told by the address of the first ones. */
export const MOST_PANELS = 64;

/** The panels that an entry names. */
export function panelsIn(text: string): readonly string[] {
  return listIn(text).slice(0, MOST_PANELS);
}

/** The entry once these are open or closed. */
export function panelsText(before: string, changes: readonly (readonly [name: string, open: boolean])[]): string {
  const names = new Set(panelsIn(before));
  for (const [name, open] of changes) {
    if (open) names.add(name);
    else names.delete(name);
  }
  return listText([...names].slice(0, MOST_PANELS));
}

function isOpen(name: PanelName): boolean {
  return panelsIn(entryShown("panels")).includes(name);
}

/** The address tells how these panels stand now: in one change, for browsers allow few of them in a row. */
export function tellPanels(panels: readonly HTMLDetailsElement[]): void {
  const before = entryShown("panels");
  // What tells late that it was opened, on a page that was left, is no panel of the next one.
  const here = panels.filter(({ isConnected }) => isConnected);
  const now = panelsText(
    before,
    here.flatMap(({ dataset: { panel }, open }) => (panel === undefined ? [] : [[panel, open] as const])),
  );
  if (now !== before) replaceEntry("panels", now);
}

/** What a `<details>` of this name is made with; `wasOpened`: somebody sees what is in it, or has seen it. */
export function usePanel(name: PanelName) {
  const wasOpened = useSignal(isOpen(name));
  const onToggle = ({ currentTarget }: TargetedEvent<HTMLDetailsElement>): void => {
    if (currentTarget.open) wasOpened.value = true;
    tellPanels([currentTarget]);
  };
  return { panel: { "data-panel": name, open: isOpen(name), onToggle }, wasOpened: wasOpened.value };
}

/** The same for one that is made by hand. */
export function keepPanel(details: HTMLDetailsElement, name: PanelName): void {
  details.dataset["panel"] = name;
  details.open = isOpen(name);
  details.addEventListener("toggle", () => tellPanels([details]));
}
