/**
 * All of a graph in a corner of it, with a frame around what is looked at: where somebody presses, the graph goes. A decoration, for the
 * keys of the graph lead everywhere too.
 *
 * Never decides whether it is to be seen.
 */

import { make } from "../../dom.ts";
import type { Facts } from "./facts.ts";
import { inksAt } from "./inks.ts";
import type { Box, Point, Scene } from "./scene.ts";

/** Pixels that it takes at most. */
const WIDE = 192;
const HIGH = 128;
/** An item is seen, however small. */
const LEAST = 1.5;

export class Minimap {
  readonly element = make("canvas", { class: "graph-map", "aria-hidden": "true" });
  /** All items, without the frame: it moves far more often than they change. */
  private readonly base = make("canvas");
  private shown: { readonly scene: Scene; readonly facts: Facts } | undefined;
  private scale = 1;
  private accent = "";

  /** `look`: to this point of the graph. */
  constructor(look: (at: Point) => void) {
    const { element } = this;
    const go = (event: PointerEvent): void => {
      // What is below it is not pressed.
      event.stopPropagation();
      const { left, top } = element.getBoundingClientRect();
      if (event.buttons === 1) look([(event.clientX - left) / this.scale, (event.clientY - top) / this.scale]);
    };
    element.addEventListener("pointerdown", (event) => {
      element.setPointerCapture(event.pointerId);
      go(event);
    });
    for (const kind of ["pointermove", "pointerup"] as const) element.addEventListener(kind, go);
  }

  /** The same is painted anew: colours have changed. */
  forget(): void {
    this.shown = undefined;
  }

  paint(scene: Scene, facts: Facts, view: Box): void {
    const { element, base } = this;
    if (scene !== this.shown?.scene || facts !== this.shown.facts) this.paintItems(scene, facts);
    this.shown = { scene, facts };
    const context = element.getContext("2d");
    if (context === null) return;
    const ratio = window.devicePixelRatio;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, element.width, element.height);
    context.drawImage(base, 0, 0);
    context.scale(ratio, ratio);
    context.strokeStyle = this.accent;
    context.lineWidth = 2;
    const [x, y] = [Math.max(0, view.x) * this.scale, Math.max(0, view.y) * this.scale];
    const right = Math.min(scene.width, view.x + view.width) * this.scale;
    const bottom = Math.min(scene.height, view.y + view.height) * this.scale;
    context.strokeRect(x + 1, y + 1, Math.max(4, right - x - 2), Math.max(4, bottom - y - 2));
  }

  private paintItems({ width, height, items }: Scene, facts: Facts): void {
    const { element, base } = this;
    const [paints, ratio] = [inksAt(element), window.devicePixelRatio];
    this.accent = paints.accent;
    this.scale = Math.min(WIDE / Math.max(1, width), HIGH / Math.max(1, height));
    const [across, down] = [Math.ceil(Math.max(16, width * this.scale)), Math.ceil(Math.max(16, height * this.scale))];
    for (const canvas of [element, base]) [canvas.width, canvas.height] = [across * ratio, down * ratio];
    element.style.width = `${across}px`;
    element.style.height = `${down}px`;
    const context = base.getContext("2d");
    if (context === null) return;
    context.scale(ratio, ratio);
    for (const item of items) {
      context.fillStyle = paints[facts.markOf(item)?.shape ?? "edge"];
      const [w, h] = [Math.max(LEAST, item.width * this.scale), Math.max(LEAST, item.height * this.scale)];
      context.fillRect(item.x * this.scale, item.y * this.scale, w, h);
    }
  }
}
