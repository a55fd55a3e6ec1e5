/**
 * Single letters of a part of a page and what they do, unless somebody has turned them off, writes, or has pressed `g` for another page:
 * keys of the whole console come first.
 */

import { useLayoutEffect, useRef } from "preact/hooks";
import { prefs } from "../app/prefs.ts";
import { pressOf } from "../app/shortcuts.ts";

export function useLetters(letters: Readonly<Record<string, () => void>>): void {
  const newest = useRef(letters);
  newest.current = letters;
  // Before anything can be seen: the first press counts.
  useLayoutEffect(() => {
    const typed = (event: KeyboardEvent): void => {
      const { key, ctrl, meta, alt, inField } = pressOf(event);
      const isMeant = !event.defaultPrevented && !ctrl && !meta && !alt && !inField && prefs.value.letters;
      if (!isMeant || document.querySelector("dialog[open]") !== null) return;
      const deed = newest.current[key];
      if (deed === undefined) return;
      event.preventDefault();
      deed();
    };
    addEventListener("keydown", typed);
    return () => removeEventListener("keydown", typed);
  }, []);
}
