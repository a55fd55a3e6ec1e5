/** The path of links above the page: what lies between its place in the side bar and the page, which a page tells itself. */

import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Page } from "./routes.ts";

export interface Step {
  readonly name: string;
  /** Left out for the page itself. */
  readonly address?: string;
}

export interface Trail {
  readonly steps: readonly Step[];
  /** Another page whose place it lies in; left out where that is the page's own. */
  readonly under?: Page;
}

const NO_TRAIL: Trail = { steps: [] };

export const trail = signal(NO_TRAIL);

/** Shows it while the page is there. */
export function useTrail(now: Trail): void {
  useLayoutEffect(() => {
    trail.value = now;
    return () => {
      trail.value = NO_TRAIL;
    };
  }, [JSON.stringify(now)]);
}
