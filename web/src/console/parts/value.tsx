/** A value as a panel of its own. The one seam between pages and the viewer, whose chunk comes with the first value that is shown. */

import type { ValueSource } from "../../api/values.ts";
import { lazily } from "./lazy.tsx";
import { type PanelName, usePanel } from "./opened.ts";

interface Shown {
  readonly source: ValueSource;
}

const Viewed = lazily(async () => (await import("./viewed.tsx")).Viewed);

export function Value({ source }: Shown) {
  return (
    <section class="panel value">
      <div class="section-head">
        <h2>{source.title}</h2>
      </div>
      <Viewed source={source} />
    </section>
  );
}

/** The same, read once it is opened: most people ask for none. */
export function ClosedValue({ source, name }: Shown & { readonly name: PanelName }) {
  const { panel, wasOpened } = usePanel(name);
  return (
    <details class="panel value" {...panel}>
      <summary>
        <h2>{source.title}</h2>
      </summary>
      {wasOpened && <Viewed source={source} />}
    </details>
  );
}
