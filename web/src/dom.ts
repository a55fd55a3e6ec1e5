/**
 * Small helpers around the DOM. Text from the server goes in as text nodes only: nothing here parses HTML.
 */

/** The element with this id, of this class; pages are written with it, so its absence is a mistake in the page. */
export function byId<T extends Element>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return found;
}

type Attributes = Readonly<Record<string, string>>;

/** A new element with attributes and children; strings become text nodes. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Sets the text where it differs, so that screen readers and selections are left alone otherwise. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
