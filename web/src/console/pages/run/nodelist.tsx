/** The nodes of a run, beside the other parts of its page. */

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { RunView } from "../../../api/types.gen.ts";
import { RUN } from "../../words/run.ts";
import { makeNodeTable } from "./nodes.ts";

export function NodeList({ view }: { readonly view: RunView }) {
  const table = useMemo(makeNodeTable, []);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(table.element), []);
  useLayoutEffect(() => table.update(view.nodes, view.nodeCount), [view]);
  return (
    <section class="listed">
      <h2>{RUN.nodes}</h2>
      <div ref={place} />
    </section>
  );
}
