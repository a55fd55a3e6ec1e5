/**
 * A run on paper, whichever of its parts is open: by the keys that print, or an action of the palette. Owns when; what stands on the
 * sheet comes with a chunk of its own.
 */

import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { RunView } from "../../../api/types.gen.ts";
import { announce } from "../../app/announce.tsx";
import { lazily } from "../../parts/lazy.tsx";
import { RUN } from "../../words/run.ts";

const Sheet = lazily(async () => (await import("./sheet.tsx")).Sheet);

/** How often it was asked for; `undefined`: nothing is to be printed. Each time is another sheet. */
const asked = signal<number | undefined>(undefined);
let times = 0;

export function printRun(): void {
  times += 1;
  asked.value = times;
  announce(RUN.printing);
}

/** Nothing, until the run is to be printed. */
export function Printed({ view }: { readonly view: RunView }) {
  // Before anything of the run can be seen: the first press counts.
  useLayoutEffect(() => {
    const listening = new AbortController();
    const { signal: ends } = listening;
    const put = (): void => {
      asked.value = undefined;
    };
    addEventListener("keydown", press, { signal: ends });
    addEventListener("afterprint", put, { signal: ends });
    return () => {
      listening.abort();
      put();
    };
  }, []);
  if (asked.value === undefined) return null;
  return (
    <div class="sheet" key={asked.value}>
      <Sheet view={view} ready={() => window.print()} />
    </div>
  );
}

function press(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (!(ctrlKey || metaKey) || altKey || shiftKey || key.toLowerCase() !== "p") return;
  event.preventDefault();
  printRun();
}
