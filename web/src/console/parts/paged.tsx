/**
 * A list made by hand that is read page by page: arrows and letters lead through it where its entries have links or looks, and where it says
 * how, what is listed is filtered by the browser.
 *
 * Owns how it looks while it loads, where nothing is there and where the server refuses. What it shows says the caller.
 */

import { type ReadonlySignal, type Signal, computed, effect, signal } from "@preact/signals";
import { render } from "preact";
import { make, setText } from "../../dom.ts";
import { announce } from "../app/announce.tsx";
import { type PartEntry, entryShown, replaceEntry } from "../app/where.ts";
import { makePeekable } from "../table/held.tsx";
import { letRove } from "../table/rove.ts";
import { PARTS } from "../words/parts.ts";
import type { Peek } from "../words/peek.ts";
import { FilterBar, NothingFits } from "./filter.tsx";
import { fits } from "./fits.ts";
import { makeReading } from "./reading.tsx";
import type { Loaded } from "./section.ts";

interface Part<T> {
  readonly rows: readonly T[];
  /** What the next page begins behind; `null`: there is none. */
  readonly next: string | null;
}

export interface Finding<T> {
  /** What is filtered, for those who do not see it. */
  readonly name: string;
  /** What somebody may write. */
  readonly label: string;
  /** Where that stands in the address. */
  readonly entry: PartEntry;
  /** What lists the same in a shell; it may read signals. */
  readonly command: () => string;
  /** What is looked through. */
  readonly textOf: (it: T) => string;
}

export interface Paged<T> {
  readonly id: string;
  readonly read: (after: string | null) => Promise<Part<T>>;
  readonly row: (it: T) => HTMLElement;
  /** Where there is nothing. */
  readonly empty: string;
  /** What an entry is called where they are counted; left out where they are not. */
  readonly noun?: string;
  readonly nouns?: string;
  /** What an entry is told from others by, where keys lead to it. */
  readonly keyOf?: (it: T) => string;
  readonly find?: Finding<T>;
  readonly peek?: (it: T) => Peek;
}

interface Entry<T> {
  readonly it: T;
  readonly element: HTMLElement;
}

/** A list and its button; `reload` begins with the first page. */
export function makePaged<T>(paged: Paged<T>): Loaded {
  const { id, read, row, keyOf } = paged;
  // The focus comes here when what had it is gone.
  const list = make("ul", { class: "entries", id, tabindex: "-1" });
  const told = make("p", { class: "muted" }, PARTS.loading);
  const more = make("button", { class: "button", id: `more-${id}`, type: "button" }, PARTS.more);
  const reading = makeReading(list);
  const listed = signal<readonly Entry<T>[]>([]);
  const next = signal<string | null>(null);
  let newest = 0;

  function makeEntry(it: T): Entry<T> {
    const element = row(it);
    if (keyOf !== undefined) element.dataset["row"] = keyOf(it);
    return { it, element };
  }
  async function turn(after: string | null): Promise<void> {
    newest += 1;
    const mine = newest;
    try {
      const part = await read(after);
      if (mine !== newest) return;
      const held = [reading.place, ...(after === null ? [list] : [])].some((one) => one.contains(document.activeElement));
      reading.succeeded();
      const [before, added] = [after === null ? [] : listed.value, part.rows.map(makeEntry)];
      if (after === null) list.replaceChildren();
      list.append(...added.map(({ element }) => element));
      [next.value, listed.value] = [part.next, [...before, ...added]];
      setText(told, tellCounts(paged, listed.value.length, part.next !== null, after !== null));
      // The button goes, and the focus with it.
      if (part.next === null && document.activeElement === more)
        added[0]?.element.querySelector<HTMLElement>("a, summary, button")?.focus();
      more.hidden = part.next === null;
      if (held) list.focus();
    } catch (refused) {
      if (mine !== newest) return;
      if (!reading.isKnown()) setText(told, "");
      reading.refused(refused, () => void turn(after));
    }
  }

  more.hidden = true;
  more.addEventListener("click", () => void turn(next.value));
  const filter = paged.find && makeFilter(paged, paged.find, listed, next);
  const found = filter?.found ?? listed;
  if (keyOf !== undefined) letRove(list, () => found.value.map(({ element }) => element));
  void turn(null);
  const body = make("div", { class: "paged" }, reading.place, list, told, ...(filter ? [filter.nothing] : []), more);
  if (filter !== undefined) body.prepend(filter.bar);
  return { element: withPeeks(paged, body, listed), reload: () => turn(null) };
}

/** Such a list in a card of its own. */
export function makePagedCard<T>(title: string, paged: Paged<T>): Loaded {
  const { element, reload } = makePaged(paged);
  return { element: make("section", { class: "card" }, make("h2", {}, title), element), reload };
}

function withPeeks<T>({ id, keyOf, peek }: Paged<T>, body: HTMLElement, listed: Entries<T>): HTMLElement {
  if (peek === undefined || keyOf === undefined) return body;
  return makePeekable(id, body, (key) => {
    const entry = listed.value.find(({ it }) => keyOf(it) === key);
    return entry && peek(entry.it);
  });
}

/** What stands below the list, where no bar above it tells the counts itself; they are spoken where somebody has asked for more. */
function tellCounts<T>({ empty, noun, nouns, find }: Paged<T>, number: number, more: boolean, askedFor: boolean): string {
  if (number === 0 || noun === undefined) return number === 0 ? empty : "";
  const counts = PARTS.listed(number, more, noun, nouns);
  if (askedFor) announce(counts);
  return find === undefined ? counts : "";
}

type Entries<T> = ReadonlySignal<readonly Entry<T>[]>;

/** The bar above the list, what stands below it where nothing fits, and what does. */
function makeFilter<T>({ id, noun = "" }: Paged<T>, find: Finding<T>, listed: Entries<T>, next: ReadonlySignal<string | null>) {
  const asked = signal(entryShown(find.entry));
  const found = computed(() => listed.value.filter(({ it }) => fits(find.textOf(it), asked.value)));
  effect(() => {
    const kept = new Set(found.value);
    for (const entry of listed.value) entry.element.hidden = !kept.has(entry);
  });
  asked.subscribe((text) => replaceEntry(find.entry, text));
  const counts = computed(() => PARTS.fittingSome(found.value.length, listed.value.length, next.value !== null, noun));
  const isEmpty = computed(() => listed.value.length === 0);
  const isFound = computed(() => isEmpty.value || found.value.length > 0);
  const [bar, nothing] = [make("div"), make("div")];
  render(<Bar id={`filter-${id}`} find={find} asked={asked} counts={counts} isEmpty={isEmpty} />, bar);
  render(<Nothing isFound={isFound} noun={noun} clear={() => (asked.value = "")} />, nothing);
  return { bar, nothing, found };
}

interface BarShown {
  readonly id: string;
  readonly find: Pick<Finding<unknown>, "name" | "label" | "command">;
  readonly asked: Signal<string>;
  readonly counts: ReadonlySignal<string>;
  readonly isEmpty: ReadonlySignal<boolean>;
}

function Bar({ id, find: { name, label, command }, asked, counts, isEmpty }: BarShown) {
  return isEmpty.value ? null : <FilterBar id={id} name={name} label={label} asked={asked} counts={counts.value} command={command()} />;
}

interface NothingShown {
  readonly isFound: ReadonlySignal<boolean>;
  readonly noun: string;
  readonly clear: () => void;
}

function Nothing({ isFound, noun, clear }: NothingShown) {
  return isFound.value ? null : <NothingFits noun={noun} clear={clear} />;
}
