/** A list that is at hand whole: what of it is shown and in which order says a bar above it, and the address. The browser does both. */

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChild, ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { type Entry, entryShown, replaceEntry } from "../app/where.ts";
import { PARTS } from "../words/parts.ts";
import { FilterBar, NothingFits } from "./filter.tsx";
import { fits } from "./fits.ts";
import { OrderChoice } from "./orderchoice.tsx";
import { type Orders, inOrder, orderOf } from "./orders.ts";

interface Shown<T> {
  /** The id of the field in which somebody writes. */
  readonly id: string;
  /** What is filtered, for those who do not see it. */
  readonly name: string;
  /** What somebody may write. */
  readonly label: string;
  readonly noun: string;
  readonly nouns?: string;
  /** What lists the same in a shell. */
  readonly command: string;
  /** Where the filter and the order stand in the address. */
  readonly entries: { readonly asked: Entry; readonly sort: Entry };
  readonly rows: readonly T[];
  /** What is looked through. */
  readonly textOf: (row: T) => string;
  readonly orders: Orders<T>;
  /** What stands there where there are no rows at all. */
  readonly empty: ComponentChildren;
  /** Those that fit, at least one. */
  readonly children: (rows: readonly T[]) => ComponentChild;
}

export function WholeList<T>(shown: Shown<T>) {
  const { id, name, label, noun, nouns, command, entries, rows, textOf, orders, empty, children } = shown;
  const [asked, sort] = [useEntry(entries.asked), useEntry(entries.sort)];
  if (rows.length === 0) return <>{empty}</>;
  const order = orderOf(orders, sort.value);
  const found = inOrder(rows, order).filter((row) => fits(textOf(row), asked.value));
  const counts = PARTS.fitting(found.length, rows.length, noun, nouns);
  const choose = (key: string): void => {
    sort.value = key === orders[0].key ? "" : key;
  };
  return (
    <div class="filtered">
      <FilterBar id={id} name={name} label={label} asked={asked} counts={counts} command={command} />
      <div class="filter-bar">
        <OrderChoice id={`${id}-sort`} orders={orders} now={order.key} choose={choose} />
      </div>
      {found.length === 0 ? <NothingFits noun={noun} clear={() => (asked.value = "")} /> : children(found)}
    </div>
  );
}

/** What stands in the address, and goes there again whenever it changes. */
function useEntry(entry: Entry): Signal<string> {
  const value = useSignal(entryShown(entry));
  useEffect(() => replaceEntry(entry, value.value), [value.value]);
  return value;
}
