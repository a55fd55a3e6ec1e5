/**
 * Keys with Ctrl or ⌘ that mean the same wherever somebody is on the editor's page. The text has them as its own: what it has done with a
 * press is not done again here.
 */

import { useLayoutEffect, useRef } from "preact/hooks";
import { pressOf } from "../../app/shortcuts.ts";

/** `chords`: what a key does together with Ctrl or ⌘. */
export function useChords(chords: Readonly<Record<string, () => void>>): void {
  const newest = useRef(chords);
  newest.current = chords;
  useLayoutEffect(() => {
    const typed = (event: KeyboardEvent): void => {
      const { key, ctrl, meta, alt } = pressOf(event);
      const isMeant = !event.defaultPrevented && (ctrl || meta) && !alt && !event.shiftKey;
      if (!isMeant || document.querySelector("dialog[open]") !== null) return;
      const deed = newest.current[key.length === 1 ? key.toLowerCase() : key];
      if (deed === undefined) return;
      event.preventDefault();
      deed();
    };
    addEventListener("keydown", typed);
    return () => removeEventListener("keydown", typed);
  }, []);
}
