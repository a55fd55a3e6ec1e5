/** Keys of a graph: what a press means, and where arrows lead along the edges. Pure. */

import type { Scene } from "./scene.ts";

export type Way = "left" | "right" | "up" | "down";

export type GraphCommand =
  | { readonly kind: "walk"; readonly way: Way }
  | { readonly kind: "pan"; readonly way: Way }
  | { readonly kind: "zoom"; readonly factor: number }
  | { readonly kind: "fit" }
  /** By a screen to the left or the right. */
  | { readonly kind: "page"; readonly way: "left" | "right" }
  /** To the first layer or the last one. */
  | { readonly kind: "end"; readonly way: "left" | "right" }
  | { readonly kind: "open" };

const ARROWS: Readonly<Record<string, Way>> = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
export const ZOOM_STEP = 1.25;

/** What a press does while the graph has the focus; `undefined`: not its own. */
export function commandOf(key: string, shift: boolean): GraphCommand | undefined {
  const way = ARROWS[key];
  if (way !== undefined) return { kind: shift ? "pan" : "walk", way };
  switch (key) {
    case "+":
    case "=":
      return { kind: "zoom", factor: ZOOM_STEP };
    case "-":
      return { kind: "zoom", factor: 1 / ZOOM_STEP };
    case "0":
      return { kind: "fit" };
    case "PageUp":
    case "PageDown":
      return { kind: "page", way: key === "PageUp" ? "left" : "right" };
    case "Home":
    case "End":
      return { kind: "end", way: key === "Home" ? "left" : "right" };
    case "Enter":
    case " ":
      return { kind: "open" };
    default:
      return undefined;
  }
}

/** The item that an arrow leads to; the same where there is none that way. */
export function walked(scene: Scene, from: number, way: Way): number {
  const item = scene.items[from];
  if (item === undefined) return 0;
  if (way === "up" || way === "down") return beside(scene, from, way);
  const forward = way === "right";
  // A node of an opened stack has the edges of its stack.
  const end = item.inside ?? from;
  const ends = scene.edges.flatMap((edge) => {
    if (forward) return edge.from === end ? [edge.to] : [];
    return edge.to === end ? [edge.from] : [];
  });
  return nearest(scene, ends, item.y) ?? from;
}

function nearest({ items }: Scene, found: readonly number[], y: number): number | undefined {
  const far = (at: number): number => Math.abs((items[at]?.y ?? 0) - y);
  return found.reduce<number | undefined>((best, at) => (best === undefined || far(at) < far(best) ? at : best), undefined);
}

/** Up and down in its layer; into an opened stack and out of it. */
function beside({ items }: Scene, from: number, way: "up" | "down"): number {
  const here = items[from];
  if (here === undefined) return from;
  const column = items.flatMap((item, at) => (item.layer === here.layer ? [at] : []));
  column.sort((one, other) => (items[one]?.y ?? 0) - (items[other]?.y ?? 0));
  return column[column.indexOf(from) + (way === "down" ? 1 : -1)] ?? from;
}

/** The next one behind `from`, and from the beginning on, that fits. */
export function nextThat(scene: Scene, from: number | undefined, fits: (at: number) => boolean): number | undefined {
  const all = scene.items.length;
  for (let step = 1; step <= all; step += 1) {
    const at = ((from ?? -1) + step) % all;
    if (fits(at)) return at;
  }
  return undefined;
}
