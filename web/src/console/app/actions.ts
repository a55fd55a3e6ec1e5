/** What can be done on the page that is shown: for the palette, beside the page's own buttons. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export interface Action {
  readonly id: string;
  readonly name: string;
  /** The one that does the same; left out where none does. */
  readonly key?: string;
  readonly act: () => void;
}

export const pageActions = signal<readonly Action[]>([]);

/** Offers these while the page, or the part of it, is there and `of` stays; others' stay beside them. */
export function useActions(actions: readonly Action[], of: unknown): void {
  useEffect(() => {
    pageActions.value = [...pageActions.value, ...actions];
    return () => {
      pageActions.value = pageActions.value.filter((action) => !actions.includes(action));
    };
  }, [of]);
}
