/** A value as a panel of its own. The one seam between pages and the viewer, whose chunk comes with the first value that is shown. */

import { useEffect, useRef } from "preact/hooks";
import type { ValueSource } from "../../api/values.ts";

interface Shown {
  readonly source: ValueSource;
}

export function Value({ source }: Shown) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => void show(place.current, source), [source.file]);
  return (
    <section class="panel value">
      <div class="section-head">
        <h2>{source.title}</h2>
      </div>
      <div class="viewer" ref={place} />
    </section>
  );
}

/** The same, read once it is opened: most people ask for none. */
export function ClosedValue({ source }: Shown) {
  const place = useRef<HTMLDivElement>(null);
  const open = (): void => {
    if (place.current?.childElementCount === 0) void show(place.current, source);
  };
  return (
    <details class="panel value" onToggle={open}>
      <summary>
        <h2>{source.title}</h2>
      </summary>
      <div class="viewer" ref={place} />
    </details>
  );
}

async function show(place: HTMLElement | null, source: ValueSource): Promise<void> {
  if (place === null) return;
  const { openViewer } = await import("../viewer/viewer.ts");
  await openViewer(place, source);
}
