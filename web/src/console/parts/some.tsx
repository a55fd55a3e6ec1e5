/** The first entries of a long list, and the button that brings more of them: what nobody looks at costs nothing. */

import { useState } from "preact/hooks";
import { PARTS } from "../words/parts.ts";

/** Entries that come at once. */
const STEP = 300;

/** Those that are shown, and what stands behind the last of them. */
export function useSome<T>(all: readonly T[], id: string, step = STEP) {
  const [most, show] = useState(step);
  const left = all.length - most;
  const more = left > 0 && (
    <p class="more">
      <button class="button" id={id} type="button" onClick={() => show(most + step)}>
        {PARTS.moreOf(left)}
      </button>
    </p>
  );
  return [all.slice(0, most), more] as const;
}
