/**
 * Where the viewer shows a value, and the address that says how somebody looks at it. Owns the place and the entry `faces`: what stands in
 * the place, and what is said of a value that does not come, is the viewer's.
 */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { ValueSource } from "../../api/values.ts";
import { entryShown, replaceEntry } from "../app/where.ts";
import { openViewer } from "../viewer/viewer.ts";
import { lookIn, looksText } from "./looks.ts";

export function Viewed({ source }: { readonly source: ValueSource }) {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(source.file);
  useLayoutEffect(() => {
    if (place.current === null) return;
    // Another value in the same place is looked at in its own way.
    if (before.current !== source.file) choose(source.id, []);
    before.current = source.file;
    const words = lookIn(entryShown("faces"), source.id);
    void openViewer(place.current, source, { words, onChoice: (now) => choose(source.id, now) });
  }, [source.file]);
  return <div class="viewer" ref={place} />;
}

function choose(id: string, words: readonly string[]): void {
  const text = entryShown("faces");
  const now = looksText(text, id, words);
  if (now !== text) replaceEntry("faces", now);
}
