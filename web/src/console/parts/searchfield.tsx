/** A field for a text that the server looks for. Owns what is being written; the list hears of it once somebody has stopped. */

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { MOST_CHARS } from "../data/search.ts";

/** The server is asked so long after the last letter. */
const PAUSE_MS = 150;

interface Writing {
  readonly id: string;
  readonly label: string;
  /** What is asked for now. */
  readonly text: string;
  readonly change: (text: string) => void;
}

export function SearchField({ id, label, text, change }: Writing) {
  const typed = useSignal(text);
  // A filter can also be cleared from elsewhere.
  useLayoutEffect(() => {
    typed.value = text;
  }, [text]);
  useEffect(() => {
    if (typed.value === text) return undefined;
    const later = setTimeout(() => change(typed.value), PAUSE_MS);
    return () => clearTimeout(later);
  }, [typed.value]);
  return (
    <>
      <label for={id}>{label}</label>
      <input
        class="field"
        id={id}
        type="search"
        value={typed.value}
        maxLength={MOST_CHARS}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      />
    </>
  );
}
