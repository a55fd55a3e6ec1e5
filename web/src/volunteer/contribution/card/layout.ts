/**
 * Where everything stands on the card to share, 1200 by 630: pure, so that its texts are tested without a canvas. Names of projects
 * are strangers': they are cut to what there is room for, and can move nothing else.
 */

export const WIDTH = 1200;
export const HEIGHT = 630;
const MARGIN = 80;
/** Two lines, then an ellipsis. */
const MOST_LINES = 2;
const FIGURE_GAP = 72;
/** Type sizes are tried from the largest down. */
const FIGURE_SIZES = [112, 96, 80, 64, 48];
const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

export interface CardTexts {
  /** Value and what it counts, one beside the other. */
  readonly figures: readonly { readonly value: string; readonly label: string }[];
  /** What the work was for; both empty where that is not known. */
  readonly forLabel: string;
  readonly project: string;
  readonly line: string;
  readonly since: string;
}

export interface Piece {
  readonly text: string;
  readonly x: number;
  /** Where the baseline is. */
  readonly y: number;
  readonly font: string;
  readonly ink: "ink" | "muted" | "accent";
}

/** The width of a text in a font. */
export type Measure = (text: string, font: string) => number;

export function layOut(texts: CardTexts, measure: Measure): Piece[] {
  return [
    { text: "WeevilScout", x: MARGIN + 84, y: 121, font: font(34, 650), ink: "ink" },
    ...figures(texts, measure),
    ...project(texts, measure),
    { text: fitted(texts.line, font(26), WIDTH - 2 * MARGIN, measure), x: MARGIN, y: 558, font: font(26), ink: "muted" },
    ...since(texts, measure),
  ];
}

/** As many characters as there is room for, whole ones, with an ellipsis where that is not all. */
export function fitted(text: string, face: string, width: number, measure: Measure): string {
  if (measure(text, face) <= width) return text;
  const characters = [...text];
  while (characters.length > 0 && measure(`${characters.join("")}…`, face) > width) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}

/** In lines of at most this width, broken between words, or between characters where a word is wider than a line. */
export function wrapped(text: string, face: string, width: number, measure: Measure): string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== "" && lines.length < MOST_LINES - 1 && measure(rest, face) > width) {
    const line = head(rest, face, width, measure);
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  return rest === "" ? lines : [...lines, fitted(rest, face, width, measure)];
}

/** At the right edge. */
function since({ since: text }: CardTexts, measure: Measure): Piece[] {
  return text === "" ? [] : [{ text, x: WIDTH - MARGIN - measure(text, font(26)), y: 121, font: font(26), ink: "muted" }];
}

function figures({ figures: all }: CardTexts, measure: Measure): Piece[] {
  const room = WIDTH - 2 * MARGIN - FIGURE_GAP * (all.length - 1);
  const widths = (size: number): number[] =>
    all.map(({ value, label }) => Math.max(measure(value, font(size, 650)), measure(label, font(28))));
  const wide = (size: number): number => widths(size).reduce((sum, width) => sum + width, 0);
  const size = FIGURE_SIZES.find((tried) => wide(tried) <= room) ?? 32;
  let x = MARGIN;
  return all.flatMap(({ value, label }, at): Piece[] => {
    const left = x;
    x += (widths(size)[at] ?? 0) + FIGURE_GAP;
    return [
      { text: value, x: left, y: 296, font: font(size, 650), ink: "accent" },
      { text: label, x: left, y: 344, font: font(28), ink: "muted" },
    ];
  });
}

function project({ forLabel, project: name }: CardTexts, measure: Measure): Piece[] {
  if (name === "") return [];
  const face = font(36, 620);
  const left = MARGIN + measure(`${forLabel} `, font(28));
  const lines = wrapped(name, face, STRIP_LEFT - 40 - left, measure);
  return [
    { text: forLabel, x: MARGIN, y: 436, font: font(28), ink: "muted" },
    ...lines.map((text, at): Piece => ({ text, x: left + 8, y: 436 + at * 46, font: face, ink: "ink" })),
  ];
}

/** The longest beginning that fits, at least one character. */
function head(text: string, face: string, width: number, measure: Measure): string {
  const words = text.split(/(?<=\s)/);
  while (words.length > 1 && measure(words.join("").trimEnd(), face) > width) words.pop();
  if (measure(words.join("").trimEnd(), face) <= width) return words.join("");
  const characters = [...text];
  while (characters.length > 1 && measure(characters.join(""), face) > width) characters.pop();
  return characters.join("");
}

function font(size: number, weight = 400): string {
  return `${weight} ${size}px ${FAMILY}`;
}

/** The mark, at the top left. */
export const MARK = { x: MARGIN, y: 76, side: 66 } as const;
/** The heat strip, at the bottom right. */
export const STRIP_STEP = 16;
export const STRIP_SIDE = 13;
export const STRIP_LEFT = WIDTH - MARGIN - 26 * STRIP_STEP + (STRIP_STEP - STRIP_SIDE);
export const STRIP_TOP = 404;
