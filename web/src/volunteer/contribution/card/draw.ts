/** Draws the card in the colours of the page, and makes a PNG of it. Sends nothing; the mark is the page's own picture. */

import { paintsAt } from "../../../paints.ts";
import mark from "../../../weevil.svg";
import type { Cell } from "../strip.ts";
import { HEIGHT, MARK, type Measure, type Piece, STRIP_LEFT, STRIP_SIDE, STRIP_STEP, STRIP_TOP, WIDTH } from "./layout.ts";

/** How much of the accent each shade of a day has. */
const SHADES = [0, 0.3, 0.52, 0.76, 1];
const EDGE = 10;
const TOKENS = ["--ground", "--sunken", "--ink", "--muted", "--accent"] as const;

type Paints = Readonly<Record<(typeof TOKENS)[number], string>>;

export function measureOn(canvas: HTMLCanvasElement): Measure {
  const context = contextOf(canvas);
  return (text, font) => {
    context.font = font;
    return context.measureText(text).width;
  };
}

/** @throws where the mark cannot be loaded */
export async function drawCard(canvas: HTMLCanvasElement, pieces: readonly Piece[], cells: readonly Cell[]): Promise<void> {
  const context = contextOf(canvas);
  const paints = paintsAt(canvas, TOKENS);
  const picture = await load(mark);
  context.fillStyle = paints["--ground"];
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = paints["--accent"];
  context.fillRect(0, HEIGHT - EDGE, WIDTH, EDGE);
  context.drawImage(picture, MARK.x, MARK.y, MARK.side, MARK.side);
  for (const { text, x, y, font, ink } of pieces) {
    context.font = font;
    context.fillStyle = paints[`--${ink}`];
    context.fillText(text, x, y);
  }
  for (const { column, row, level } of cells) {
    drawDay(context, STRIP_LEFT + column * STRIP_STEP, STRIP_TOP + row * STRIP_STEP, SHADES[level] ?? 1, paints);
  }
}

/** @throws where the browser makes none */
export async function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (png === null) throw new Error("the browser makes no picture of a canvas");
  return png;
}

function drawDay(context: CanvasRenderingContext2D, x: number, y: number, shade: number, paints: Paints): void {
  context.beginPath();
  context.roundRect(x, y, STRIP_SIDE, STRIP_SIDE, 3);
  context.fillStyle = paints["--sunken"];
  context.fill();
  context.globalAlpha = shade;
  context.fillStyle = paints["--accent"];
  context.fill();
  context.globalAlpha = 1;
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser draws nothing");
  return context;
}

async function load(address: string): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  return picture;
}
