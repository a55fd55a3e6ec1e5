/** What a look is drawn with: one pen makes elements of SVG, another one paints on a canvas. Owns no place and no colour. */

import type { Shape } from "../words/states.ts";
import type { Box, EdgeMark } from "./scene.ts";

/** Lines in sight. */
const FEW = 150;
const MANY = 600;

/** Tokens of theme.css. */
export type Ink = "ink" | "muted" | "line" | "edge" | "accent" | "panel" | "sunken" | Shape;

export const INKS: readonly Ink[] = [
  "ink",
  "muted",
  "line",
  "edge",
  "accent",
  "panel",
  "sunken",
  "waiting",
  "queued",
  "held",
  "running",
  "finished",
  "reused",
  "failed",
  "cancelled",
  "paused",
  "added",
  "removed",
  "changed",
];

export type Paints = Readonly<Record<Ink, string>>;

export interface Fill {
  readonly ink: Ink;
  /** 0..1. */
  readonly strength?: number;
}

export interface Rectangle extends Box {
  readonly round?: number;
  readonly fill?: Fill;
  readonly stroke?: Ink;
  /** Pixels of the screen. */
  readonly thick?: number;
}

export interface Words {
  readonly text: string;
  readonly x: number;
  /** Where letters stand on. */
  readonly y: number;
  /** What is longer is cut off. */
  readonly width: number;
  readonly size: number;
  readonly bold?: boolean;
  readonly ink: Ink;
  readonly middle?: boolean;
}

export interface Pen {
  readonly box: (box: Rectangle) => void;
  /** The shape of a state in a square. */
  readonly shape: (shape: Shape, x: number, y: number, side: number) => void;
  readonly text: (words: Words) => void;
}

/** Something that can be seen and reached: an item, or a layer. */
export interface Figure {
  readonly key: string;
  /** Whether it looks the same as before. */
  readonly look: string;
  /** What it is in words. */
  readonly label: string;
  readonly draw: (pen: Pen) => void;
}

export interface Line {
  readonly key: number;
  readonly path: string;
  readonly lit: boolean;
  /** Edges in it. */
  readonly count: number;
  /** It came, or it went: as a colour, and by how it is drawn. */
  readonly mark?: EdgeMark;
}

/** Dashes of a line that went, in pixels of the screen. */
export const DASHES = [7, 5] as const;

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Where the origin of what is drawn is on the screen, and how large. */
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
  readonly figures: readonly Figure[];
  readonly lines: readonly Line[];
  /** How strong lines are that are not lit, 0..1: many of them are a veil, not a wall. */
  readonly strength: number;
  /** The key of the figure that arrows go on from. */
  readonly at: string | undefined;
}

export interface Painter {
  readonly element: SVGElement | HTMLElement;
  readonly paint: (frame: Frame) => void;
  readonly focus: () => void;
}

/** How strong so many lines are. */
export function strengthOf(lines: number): number {
  if (lines <= FEW) return 1;
  return lines <= MANY ? 0.5 : 0.25;
}

/** How thick a line of so many edges is, in pixels of the screen; a marked one is seen among others. */
export function thickness({ count, mark }: Pick<Line, "count" | "mark">): number {
  return Math.min(4, 1 + Math.log10(count)) + (mark === undefined ? 0 : 1.5);
}
