/** Where the viewer shows a value. Owns the place alone: what stands in it, and what is said of a value that does not come, is the viewer's. */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { ValueSource } from "../../api/values.ts";
import { openViewer } from "../viewer/viewer.ts";

export function Viewed({ source }: { readonly source: ValueSource }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (place.current !== null) void openViewer(place.current, source);
  }, [source.file]);
  return <div class="viewer" ref={place} />;
}
