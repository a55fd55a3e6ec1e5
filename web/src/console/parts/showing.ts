/** Which entries of a list the server is asked for: one of several words, which stands in the address as `show`. */

import { type ReadonlySignal, signal } from "@preact/signals";
import { entryShown, replaceEntry } from "../app/where.ts";
import { makeChoice } from "./form.ts";

export interface Showing<T extends string> {
  readonly element: HTMLElement;
  readonly chosen: ReadonlySignal<T>;
}

/** The first option is the usual one, of which the address says nothing. */
export function makeShowing<T extends string>(
  id: string,
  label: string,
  options: readonly (readonly [value: T, text: string])[],
  onChange: () => void,
): Showing<T | ""> {
  const { element, input } = makeChoice(id, label, options);
  const find = (sought: string): T | "" => options.find(([value]) => value === sought)?.[0] ?? "";
  const chosen = signal(find(entryShown("show")));
  input.value = chosen.value;
  input.addEventListener("change", () => {
    chosen.value = find(input.value);
    replaceEntry("show", chosen.value);
    onChange();
  });
  return { element, chosen };
}
