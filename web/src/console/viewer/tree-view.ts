/**
 * A value as a tree that is opened level by level; long lists in ranges. With a search over all of it. Takes the value, asks nobody.
 *
 * Keys as in the pattern of the ARIA Authoring Practices.
 */

import { make } from "../../dom.ts";
import { VIEWER } from "../words/viewer.ts";
import { makeSearch } from "./tree-search.ts";
import { type Path, entriesOf, sizeOf, summaryOf } from "./tree.ts";
import type { View } from "./view.ts";

/** Entries of one level; more are put into ranges. */
const ENTRIES = 100;

/** An entry, or a range of the entries of a long list. */
interface Item {
  readonly name: string;
  readonly value: unknown;
  readonly range?: readonly [from: number, to: number];
}

export class TreeView implements View {
  readonly element: HTMLElement;
  private readonly tree = make("ul", { class: "tree", role: "tree", "aria-label": VIEWER.faces.headline });
  private readonly items = new WeakMap<Element, Item>();
  private current: HTMLElement;

  /** `kind`: what the outermost value is called. */
  constructor(value: unknown, kind: string) {
    this.current = this.makeItem({ name: "", value }, 1, summaryOf(value, kind));
    this.current.tabIndex = 0;
    this.tree.append(this.current);
    this.tree.addEventListener("click", (event) => this.clicked(event.target));
    this.tree.addEventListener("keydown", (event) => this.pressed(event));
    const reveal = (path: Path): void => this.reveal(path);
    this.element = make("div", { class: "tree-view" }, makeSearch(value, reveal), this.tree);
    this.setOpen(this.current, true);
  }

  private makeItem(item: Item, level: number, summary = summaryOf(item.value)): HTMLElement {
    const { name, value, range } = item;
    const words = range === undefined ? summary : "";
    const named = range === undefined ? name : `${range[0]} … ${range[1] - 1}`;
    const line = make("span", { class: "tree-line" });
    if (named !== "") line.append(make("span", { class: "tree-name" }, named), words === "" ? "" : ": ");
    line.append(make("span", { "data-kind": value === null ? "null" : typeof value }, words));
    const element = make("li", { role: "treeitem", "aria-level": String(level), tabindex: "-1" }, line);
    if (range !== undefined || sizeOf(value) > 0) element.setAttribute("aria-expanded", "false");
    this.items.set(element, item);
    return element;
  }

  private setOpen(element: HTMLElement, isOpen: boolean): void {
    const item = this.items.get(element);
    if (item === undefined || !element.hasAttribute("aria-expanded")) return;
    element.setAttribute("aria-expanded", String(isOpen));
    element.querySelector(":scope > ul")?.remove();
    if (!isOpen) return;
    const level = Number(element.getAttribute("aria-level")) + 1;
    const inside = insideOf(item).map((entry) => this.makeItem(entry, level));
    element.append(make("ul", { role: "group" }, ...inside));
  }

  private focus(element: HTMLElement): void {
    this.current.tabIndex = -1;
    this.current = element;
    element.tabIndex = 0;
    element.focus();
    element.scrollIntoView({ block: "nearest" });
  }

  private clicked(target: EventTarget | null): void {
    const element = target instanceof Element ? target.closest<HTMLElement>("[role=treeitem]") : null;
    if (element === null) return;
    this.setOpen(element, element.getAttribute("aria-expanded") === "false");
    this.focus(element);
  }

  private pressed(event: KeyboardEvent): void {
    const handled = this.act(event.key);
    if (handled) event.preventDefault();
  }

  private act(key: string): boolean {
    const all = [...this.tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
    const at = all.indexOf(this.current);
    const expanded = this.current.getAttribute("aria-expanded");
    const go = (to: HTMLElement | null | undefined): boolean => {
      if (to !== null && to !== undefined) this.focus(to);
      return true;
    };
    switch (key) {
      case "ArrowDown":
        return go(all[at + 1]);
      case "ArrowUp":
        return go(all[at - 1]);
      case "Home":
        return go(all[0]);
      case "End":
        return go(all.at(-1));
      case "ArrowRight":
        if (expanded === "true") return go(all[at + 1]);
        this.setOpen(this.current, true);
        return true;
      case "ArrowLeft":
        if (expanded !== "true") return go(this.current.parentElement?.closest<HTMLElement>("[role=treeitem]"));
        this.setOpen(this.current, false);
        return true;
      case "Enter":
      case " ":
        this.setOpen(this.current, expanded === "false");
        return true;
      default:
        return false;
    }
  }

  /** Opens whatever is around the entry, and goes there. */
  private reveal(path: Path): void {
    let here: HTMLElement | undefined = this.tree.firstElementChild as HTMLElement;
    for (const name of path) {
      here = this.childNamed(here, name);
      if (here === undefined) return;
    }
    this.focus(here);
  }

  private childNamed(parent: HTMLElement, name: string): HTMLElement | undefined {
    if (parent.getAttribute("aria-expanded") === "false") this.setOpen(parent, true);
    for (const child of parent.querySelectorAll<HTMLElement>(":scope > ul > li")) {
      const item = this.items.get(child);
      if (item?.range === undefined) {
        if (item?.name === name) return child;
        continue;
      }
      const [from, to] = item.range;
      const place = isList(item.value) ? Number(name) : Object.keys(item.value as object).indexOf(name);
      if (place >= from && place < to) return this.childNamed(child, name);
    }
    return undefined;
  }
}

function isList(value: unknown): boolean {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

/** The entries of a level, or ranges of them where there are many. */
function insideOf({ value, range = [0, sizeOf(value)] }: Item): Item[] {
  const [from, to] = range;
  if (to - from <= ENTRIES) return entriesOf(value, from, to);
  let step = ENTRIES;
  while (step * ENTRIES < to - from) step *= ENTRIES;
  const ranges: Item[] = [];
  for (let at = from; at < to; at += step) ranges.push({ name: "", value, range: [at, Math.min(at + step, to)] });
  return ranges;
}
