/** Numbers as a picture, a pixel for each; painted from numbers alone. Hot: takes data, asks nobody. */

import { make, setText } from "../../dom.ts";
import { scaleIn, scaleWords } from "./choices.ts";
import { type Grid, type Scale, pixelsOf, range } from "./grid.ts";
import { pngOf } from "./paint.ts";
import { numberText } from "./text.ts";
import type { Choices, View } from "./view.ts";
import { VIEWER } from "../words/viewer.ts";

/** CSS pixels for each pixel of a small picture, as many as fit into this. */
const WIDE = 640;

export class ImageView implements View {
  readonly element: HTMLElement;
  readonly tools: readonly HTMLElement[];
  private readonly canvas: HTMLCanvasElement;
  private readonly facts = make("p", { class: "muted" });
  private readonly grid: Grid;

  constructor(grid: Grid, choices: Choices) {
    this.grid = grid;
    const { width, height } = grid;
    this.canvas = make("canvas", { class: "picture", role: "img", width: String(width), height: String(height) });
    this.canvas.style.width = `${width * Math.max(1, Math.floor(WIDE / width))}px`;
    this.element = make("div", { class: "image-view" }, this.canvas, this.facts);
    const scale = grid.isColour ? "linear" : scaleIn(choices.words);
    this.tools = grid.isColour ? [] : [this.makeScale(scale, choices)];
    this.paint(scale);
  }

  png(): Promise<Blob> {
    return pngOf(this.canvas);
  }

  private makeScale(first: Scale, { onChoice }: Choices): HTMLElement {
    const choice = make("select", { class: "field", "aria-label": VIEWER.scale });
    choice.append(make("option", { value: "linear" }, VIEWER.linear), make("option", { value: "log" }, VIEWER.log));
    choice.value = first;
    choice.addEventListener("change", () => {
      const scale = choice.value as Scale;
      this.paint(scale);
      onChoice(scaleWords(scale));
    });
    return choice;
  }

  private paint(scale: Scale): void {
    const { width, height, numbers, isColour } = this.grid;
    const { min, max } = range(numbers, scale);
    const span = min > max ? VIEWER.nothingToPaint : VIEWER.fromTo(numberText(min), numberText(max));
    const text = isColour ? VIEWER.pixels(width, height) : `${VIEWER.pixels(width, height)}; ${span}`;
    setText(this.facts, text);
    this.canvas.setAttribute("aria-label", text);
    this.canvas.getContext("2d")?.putImageData(new ImageData(pixelsOf(this.grid, scale), width, height), 0, 0);
  }
}
