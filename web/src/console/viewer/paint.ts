/** The marks of a sheet on a canvas, in the colours of the page. Never decides where a mark stands. */

import { paintsAt } from "../../paints.ts";
import { type Colours, DOT, FONT_SIZE, type Mark, type Sheet } from "./drawing.ts";

/** The tokens of the page as they are here: a canvas knows no variables of style sheets. */
export function coloursOf(element: Element): Colours {
  const paints = paintsAt(element, ["--ink", "--muted", "--line", "--accent", "--panel"]);
  const { "--ink": ink, "--muted": muted, "--line": line, "--accent": accent, "--panel": ground } = paints;
  return { ink, muted, line, accent, ground };
}

/** Fills the canvas, which becomes `ratio` times as fine as the sheet. */
export function paint(canvas: HTMLCanvasElement, sheet: Sheet, colours: Colours, ratio: number): void {
  canvas.width = Math.round(sheet.width * ratio);
  canvas.height = Math.round(sheet.height * ratio);
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(ratio, ratio);
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.font = `${FONT_SIZE}px sans-serif`;
  for (const mark of sheet.marks) paintMark(context, mark, colours);
}

function paintMark(context: CanvasRenderingContext2D, mark: Mark, colours: Colours): void {
  switch (mark.kind) {
    case "text":
      context.fillStyle = colours.muted;
      context.textAlign = mark.align === "middle" ? "center" : mark.align;
      context.fillText(mark.text, mark.x, mark.y);
      return;
    case "line":
      context.strokeStyle = colours[mark.tone];
      stroke(context, mark.points);
      return;
    case "bars":
      context.fillStyle = colours[mark.tone];
      for (let at = 0; at + 3 < mark.boxes.length; at += 4) {
        const [x = 0, y = 0, width = 0, height = 0] = mark.boxes.slice(at, at + 4);
        context.fillRect(x, y, width, height);
      }
      return;
    case "dots":
      context.fillStyle = colours[mark.tone];
      for (let at = 0; at + 1 < mark.points.length; at += 2) {
        context.fillRect((mark.points[at] as number) - DOT, (mark.points[at + 1] as number) - DOT, 2 * DOT, 2 * DOT);
      }
  }
}

function stroke(context: CanvasRenderingContext2D, points: readonly number[]): void {
  context.beginPath();
  let isDown = false;
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [points[at] as number, points[at + 1] as number];
    if (!Number.isFinite(y)) isDown = false;
    else if (isDown) context.lineTo(x, y);
    else {
      context.moveTo(x, y);
      isDown = true;
    }
  }
  context.stroke();
}

/** A picture is larger than the browser can pack. */
export class UnsavableError extends Error {}

/** @throws UnsavableError */
export async function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  const packed = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (packed === null) throw new UnsavableError();
  return packed;
}
