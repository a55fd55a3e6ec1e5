/** A dialog above the page, which one signal opens and closes; the focus goes back where it was. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { floating } from "./shortcuts.ts";

interface Shown {
  readonly name: "palette" | "keys";
  readonly label: string;
  readonly children: ComponentChildren;
}

export function Floating(shown: Shown) {
  return floating.value === shown.name ? <Open {...shown} /> : null;
}

function Open({ name, label, children }: Shown) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    return () => dialog.current?.close();
  }, []);
  const close = (): void => {
    // One may have opened another, whose turn it is when the event of the first comes.
    if (floating.value === name) floating.value = undefined;
  };
  return (
    <dialog
      class="floating"
      id={name}
      aria-label={label}
      ref={dialog}
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      {children}
    </dialog>
  );
}

/** Closes it at once, so that the focus is back on the page before something is done there. */
export function closeFloating(): void {
  document.querySelector<HTMLDialogElement>("dialog.floating[open]")?.close();
  floating.value = undefined;
}
