/** The head of a page: its one title, what stands beside it, and what can be done there. It takes the focus when the page opens. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface Head {
  readonly title: ComponentChildren;
  /** What the tab of the browser says. */
  readonly tab: string;
  readonly beside?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

export function PageHead({ title, tab, beside, actions }: Head) {
  const head = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // Who chooses a project goes on choosing.
    if (document.activeElement?.id !== "project") head.current?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    document.title = tab;
  }, [tab]);
  return (
    <div class="page-head">
      <h1 tabIndex={-1} ref={head}>
        {title}
      </h1>
      {beside}
      <div class="buttons">{actions}</div>
    </div>
  );
}

/** What had the focus may be gone once `of` has changed: then the title has it. */
export function useFocusKept(of: unknown): void {
  useLayoutEffect(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  }, [of]);
}
