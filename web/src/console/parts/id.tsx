/** An id in its middle-cut form with a button that copies it; the whole is in the title and told to those who do not see. */

import { useState } from "preact/hooks";
import { cut } from "../words/format.ts";
import { PARTS } from "../words/parts.ts";
import { Icon } from "./icon.tsx";

/** How long the button says that it is copied. */
const TOLD_MS = 2000;

export function Id({ id }: { readonly id: string }) {
  return (
    <span class="id">
      <code title={id} aria-hidden="true">
        {cut(id)}
      </code>
      <span class="unseen">{id}</span>
      <Copy text={id} label={PARTS.copyId} />
    </span>
  );
}

/** Copies `text`; where the browser gives no clipboard, as to pages over plain HTTP from another machine, it says so. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [told, tell] = useState<"" | "copied" | "refused">("");
  const copy = async (): Promise<void> => {
    const done = await copied(text);
    tell(done ? "copied" : "refused");
    setTimeout(() => tell(""), TOLD_MS);
  };
  const words = told === "" ? label : PARTS[told];
  return (
    <button class="quiet copy" type="button" aria-label={words} title={words} data-told={told} onClick={() => void copy()}>
      <Icon name={told === "copied" ? "check" : "copy"} />
    </button>
  );
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
