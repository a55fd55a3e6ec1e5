/** What became of something that was done from anywhere, above the page: an upload that was refused, or warnings. */

import { signal } from "@preact/signals";
import type { DiagnosticView } from "../../api/types.gen.ts";
import { Diagnostics } from "./diagnostics.tsx";

interface Told {
  readonly tone: "plain" | "busy" | "bad";
  readonly text: string;
  readonly diagnostics?: readonly DiagnosticView[];
  /** The address at which it stays; empty: the one where it came up. */
  readonly at?: string;
}

const told = signal<Told | undefined>(undefined);

export function report(what: Told | undefined): void {
  told.value = what;
}

/** Somebody goes elsewhere. */
export function forgetReport(): void {
  if (told.value?.at !== location.hash) told.value = undefined;
}

export function Report() {
  const now = told.value;
  return (
    <div id="report" role="status">
      {now !== undefined && (
        <div class="notice" data-tone={now.tone}>
          <p>{now.text}</p>
          <Diagnostics found={now.diagnostics ?? []} />
        </div>
      )}
    </div>
  );
}
