/**
 * A plot as marks on a sheet, and the sheet as SVG. Pure: `paint.ts` puts the same marks on a canvas.
 *
 * Whatever text stands in it is written as text, also where a stranger chose it.
 */

export type Tone = "ink" | "muted" | "line" | "accent";

export type Mark =
  /** x and y by turns; NaN lifts the pen. */
  | { readonly kind: "line"; readonly points: readonly number[]; readonly tone: Tone }
  /** x, y, width and height by turns. */
  | { readonly kind: "bars"; readonly boxes: readonly number[]; readonly tone: Tone }
  /** x and y of middles by turns. */
  | { readonly kind: "dots"; readonly points: readonly number[]; readonly tone: Tone }
  | { readonly kind: "text"; readonly x: number; readonly y: number; readonly text: string; readonly align: Align };

export type Align = "start" | "middle" | "end";

export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
}

/** The colour of each tone, and of what is behind. */
export type Colours = Readonly<Record<Tone | "ground", string>>;

export const DOT = 1.5;
export const FONT_SIZE = 12;

export function svgOf({ width, height, marks }: Sheet, title: string, colours: Colours): string {
  const ground = `<rect width="${width}" height="${height}" fill="${colours.ground}"/>`;
  const body = marks.map((mark) => svgMark(mark, colours)).join("");
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const font = `font-family="sans-serif" font-size="${FONT_SIZE}"`;
  return `${head} role="img" ${font}><title>${escaped(title)}</title>${ground}${body}</svg>\n`;
}

function svgMark(mark: Mark, colours: Colours): string {
  if (mark.kind === "text") {
    const place = `x="${short(mark.x)}" y="${short(mark.y)}" text-anchor="${mark.align}" fill="${colours.muted}"`;
    return `<text ${place}>${escaped(mark.text)}</text>`;
  }
  const colour = colours[mark.tone];
  if (mark.kind === "line") return `<path d="${pathOf(mark.points)}" fill="none" stroke="${colour}"/>`;
  if (mark.kind === "bars") return `<path d="${boxesOf(mark.boxes)}" fill="${colour}"/>`;
  return `<path d="${dotsOf(mark.points)}" stroke="${colour}" stroke-width="${2 * DOT}" stroke-linecap="round"/>`;
}

function pathOf(points: readonly number[]): string {
  let path = "";
  let isDown = false;
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [points[at] as number, points[at + 1] as number];
    if (Number.isFinite(y)) path += `${isDown ? "L" : "M"}${short(x)} ${short(y)}`;
    isDown = Number.isFinite(y);
  }
  return path;
}

function boxesOf(boxes: readonly number[]): string {
  let path = "";
  for (let at = 0; at + 3 < boxes.length; at += 4) {
    const [x, y, width, height] = boxes.slice(at, at + 4).map(short);
    path += `M${x} ${y}h${width}v${height}h-${width}z`;
  }
  return path;
}

function dotsOf(points: readonly number[]): string {
  let path = "";
  for (let at = 0; at + 1 < points.length; at += 2) path += `M${short(points[at] as number)} ${short(points[at + 1] as number)}h0`;
  return path;
}

function short(number: number): string {
  return String(Math.round(number * 100) / 100);
}

/** Characters that XML 1.0 does not know at all are left away. */
function escaped(text: string): string {
  const known = text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "");
  return known.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
