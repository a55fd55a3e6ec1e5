/** Colours of style sheets for a canvas, which knows no variables and no two themes. Never names a colour. */

/** These variables as they are at an element of the page, each resolved to a colour that a canvas takes. */
export function paintsAt<T extends string>(place: Element, names: readonly T[]): Readonly<Record<T, string>> {
  // A variable is told as it is written, with both themes in it; only a colour is resolved.
  const probe = document.createElement("span");
  probe.hidden = true;
  (place.parentElement ?? document.body).append(probe);
  const resolved = names.map((name) => {
    probe.style.color = `var(${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(resolved) as Record<T, string>;
}
