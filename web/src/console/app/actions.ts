/** What can be done on the page that is shown: for the palette, beside the page's own buttons. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

export interface Action {
  readonly id: string;
  readonly name: string;
  readonly act: () => void;
}

export const pageActions = signal<readonly Action[]>([]);

/** Offers these while the page is there and `of` stays. */
export function useActions(actions: readonly Action[], of: unknown): void {
  useEffect(() => {
    pageActions.value = actions;
    return () => {
      pageActions.value = [];
    };
  }, [of]);
}
