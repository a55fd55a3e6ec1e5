/**
 * What the palette offers to do here: the buttons in the heads of the page, of its picture and of what stands beside that, as they stand
 * there, the live mark, what parts of the page have registered, and what keys of the whole console do. So no button of them can be missing
 * from it.
 */

import { PALETTE } from "../words/frame.ts";
import { pageActions } from "./actions.ts";
import type { Entry } from "./entries.ts";
import { type Command } from "./keys.ts";
import { FILTER, PEEKED, obey } from "./shortcuts.ts";

const HEADS =
  ".page-head, .graph-tools, .timeline-panel > .buttons, .node > .section-head, .preview > .section-head, .compare, #access-page";
/** The live mark counts where the page has no button of its own that does the same. */
const BUTTONS = `main :is(${HEADS}) :is(button, a.button, summary):not([aria-disabled=true]), .frame:not(:has(#hold-still)) button.live`;
/** What belongs to one entry of a list is done there, and to no more than that. */
const OF_ENTRIES = "#access-page :is(.entries, .filter-bar, .peek)";
/** Keys that do something where the page has one of these. */
const KEYS: readonly (readonly [name: string, key: string, where: string, command: Command])[] = [
  [PALETTE.does.filter, "/", FILTER, { kind: "filter" }],
  [PALETTE.does.tables, "t", "main details[data-table]:not([hidden])", { kind: "tables" }],
  [PALETTE.does.peek, "Space", PEEKED, { kind: "peek", begin: true }],
  [PALETTE.does.attempt, "]", "main [data-attempt]", { kind: "attempt", by: 1 }],
  [PALETTE.does.attemptBefore, "[", "main [data-attempt]", { kind: "attempt", by: -1 }],
];

export function offeredHere(): readonly Entry[] {
  const keys = KEYS.filter(([, , where]) => document.querySelector(where) !== null);
  return [
    ...[...document.querySelectorAll<HTMLElement>(BUTTONS)].filter(isOfPage).map(buttonEntry),
    ...pageActions.value.map(({ id, name, key = "", act }) => entry(id, name, key, act)),
    ...keys.map(([name, key, , command]) => entry(`key-${key}`, name, key, () => void obey(command))),
  ];
}

function isOfPage(button: HTMLElement): boolean {
  return button.checkVisibility() && button.closest(OF_ENTRIES) === null;
}

function buttonEntry(button: HTMLElement, at: number): Entry {
  const name = button.getAttribute("aria-label") ?? button.textContent.trim();
  return entry(`button-${at}`, name, button.ariaKeyShortcuts ?? "", () => button.click());
}

function entry(id: string, name: string, key: string, to: () => void): Entry {
  return { id, part: PALETTE.actions, name, hint: "", key, icon: "right", to };
}
