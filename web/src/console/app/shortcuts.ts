/** Does what keys of the whole console mean: `keys.ts` says what that is. */

import { signal } from "@preact/signals";
import { type Command, type Press, commandOf } from "./keys.ts";
import { tellPanels } from "../parts/opened.ts";
import { PEEK_EVENT, closePeek } from "../table/peeked.ts";
import { STAND, goesToEdge } from "../table/rove.ts";
import { prefs } from "./prefs.ts";

/** What lies above the page. */
export const floating = signal<"palette" | "keys" | undefined>(undefined);

/** What stands for a row that can be peeked at. */
export const PEEKED = `main .peekable [data-row] > :first-child ${STAND}`;
/** What stands for a row in a list. */
const ROW = `main :is(.row > :first-child ${STAND}, .entries > [data-row] > :first-child ${STAND}, [data-entry] a)`;
/** What keys keep within where they lead on by more than a row. */
const LIST = "[role=table], ul";
/** Where a list is filtered, by the browser or by the server. */
export const FILTER = "main :is(.filter-bar, .filter) input";
const ATTEMPT = "main [data-attempt]";
/** Longer after a `g`, a letter is one of its own. */
const AFTER_MS = 1500;

export function listenForKeys(): void {
  let since = -Infinity;
  addEventListener("keydown", (event) => {
    // A dialog's keys are its own.
    if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
    const command = commandOf(pressOf(event), prefs.value.letters, event.timeStamp - since < AFTER_MS);
    since = command?.kind === "await" ? event.timeStamp : -Infinity;
    if (command === undefined) return;
    const done = obey(command);
    if (done) event.preventDefault();
  });
}

export function pressOf(event: KeyboardEvent): Press {
  const { key, ctrlKey: ctrl, metaKey: meta, altKey: alt } = event;
  // What is inside a shadow root, as the text of the editor, is another target than the event's own.
  const [target] = event.composedPath();
  const inField =
    target instanceof HTMLElement && (target.isContentEditable || target.matches("input:not([type=checkbox]), select, textarea"));
  return { key, ctrl, meta, alt, inField };
}

/** Whether there was something to do. */
export function obey(command: Command): boolean {
  switch (command.kind) {
    case "palette":
      floating.value = "palette";
      return true;
    case "help":
      floating.value = "keys";
      return true;
    case "filter":
      return focus(document.querySelector<HTMLElement>(FILTER));
    case "go":
      return press(document.getElementById(`to-${command.place}`));
    case "move":
      return focus(nextOf(ROW, command.by, command.begin));
    case "stride":
      return stride(command.by);
    case "attempt":
      return focus(nextOf(ATTEMPT, command.by, command.by === 1));
    case "tables":
      return turnTables();
    case "peek":
      return peek(command.begin);
    case "close":
      return leaveField() || closePeek() || press(document.getElementById("node-close"));
    case "await":
      return false;
  }
}

/** Beside the one that has the focus; `begin`: the first one, where none has. */
function nextOf(selector: string, by: 1 | -1, begin: boolean): HTMLElement | null {
  const rows = visible(document, selector);
  const at = rows.indexOf(document.activeElement as HTMLElement);
  if (at === -1 && !begin) return null;
  return rows[at + by] ?? null;
}

function visible(inside: ParentNode, selector: string): HTMLElement[] {
  return [...inside.querySelectorAll<HTMLElement>(selector)].filter((row) => row.checkVisibility());
}

/** Within the list that has the focus. */
function stride(by: number): boolean {
  const here = document.activeElement;
  const list = here?.closest(LIST);
  if (!here || !list) return false;
  const rows = visible(list, ROW);
  const at = rows.indexOf(here as HTMLElement);
  if (at === -1) return false;
  if (!Number.isFinite(by) && goesToEdge(here, by > 0)) return true;
  const to = rows[Math.max(0, Math.min(at + by, rows.length - 1))] ?? null;
  return to !== here && focus(to);
}

function focus(element: HTMLElement | null): boolean {
  element?.focus();
  element?.scrollIntoView({ block: "nearest" });
  return element !== null;
}

function peek(begin: boolean): boolean {
  const here = document.activeElement;
  // The button of a row is pressed by the browser itself.
  if (here instanceof HTMLButtonElement && !begin) return false;
  const row = here?.matches(PEEKED) === true ? here : begin ? document.querySelector(PEEKED) : null;
  if (row !== here && row instanceof HTMLElement) row.focus();
  row?.dispatchEvent(new Event(PEEK_EVENT, { bubbles: true }));
  return row !== null;
}

function press(element: HTMLElement | null): boolean {
  element?.click();
  return element !== null;
}

/** Opens the tables of all that is drawn on the page; closes them where all are open. */
function turnTables(): boolean {
  const all = [...document.querySelectorAll<HTMLDetailsElement>("main details[data-table]:not([hidden])")];
  const open = all.some((one) => !one.open);
  for (const one of all) one.open = open;
  tellPanels(all);
  return all.length > 0;
}

/** Out of a filter, back to the page. */
function leaveField(): boolean {
  const held = document.activeElement;
  if (!(held instanceof HTMLElement) || !held.closest("main :is(.filter-bar, .filter)")) return false;
  return focus(document.querySelector<HTMLElement>("main h1"));
}
