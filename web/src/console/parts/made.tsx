/** A part of a page that makes its elements by hand, once. */

import { useLayoutEffect, useRef } from "preact/hooks";

export function Made({ make, class: name = "" }: { readonly make: () => Node; readonly class?: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(make()), []);
  return <div class={name} ref={place} />;
}
