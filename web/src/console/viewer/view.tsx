/** Where a page shows a result. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { type ResultSource, showResult } from "./result.ts";

export function Result(source: ResultSource) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (place.current !== null) showResult(place.current, source);
  }, [source.path, source.value]);
  return <section class="panel" ref={place} />;
}
