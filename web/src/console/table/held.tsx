/** A list that is made by hand, with looks at its rows beside it, as `peek.tsx` shows them. Owns when that ends: once the list is gone. */

import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { make } from "../../dom.ts";
import type { Peek } from "../words/peek.ts";
import { Peekable, usePeeks } from "./peek.tsx";

/** `tell` may read signals: what the look says follows them. */
export function makePeekable(list: string, element: HTMLElement, tell: (row: string) => Peek | undefined): HTMLElement {
  const holder = makeHolder();
  render(
    <Peekable list={list} tell={tell}>
      <Held list={list} element={element} />
    </Peekable>,
    holder,
  );
  return holder;
}

/** For components in what is made by hand. Nobody tells it that its page is left: it looks whenever somebody has gone elsewhere. */
export function makeHolder(): HTMLElement {
  const holder = make("div");
  const end = (): void => {
    if (holder.isConnected) return;
    removeEventListener("hashchange", end);
    render(null, holder);
  };
  addEventListener("hashchange", end);
  return holder;
}

function Held({ list, element }: { readonly list: string; readonly element: HTMLElement }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(element), []);
  usePeeks(list, place, true);
  return <div ref={place} />;
}
