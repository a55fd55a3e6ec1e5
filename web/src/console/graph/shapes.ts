/** The shapes of states as paths: those of icons.svg, which a canvas cannot read. A test holds both together. Pure. */

import type { Shape } from "../words/states.ts";

/** In a square of 24. */
export interface Stroke {
  readonly path: string;
  readonly width?: number;
  /** How much of its own colour fills it, 0..1. */
  readonly fill?: number;
  readonly dashes?: readonly [number, number];
  readonly flat?: boolean;
}

const RING = circle(9);
const SQUARE: Stroke = { path: "M6 3h12a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z", fill: 0.16 };
const DISC: Stroke = { path: circle(10), fill: 0.16 };

export const SHAPES: Readonly<Record<Shape, readonly Stroke[]>> = {
  waiting: [{ path: RING, width: 2.6, dashes: [1, 4.65] }],
  queued: [{ path: RING }],
  running: [{ path: RING }, { path: "M12 3a9 9 0 0 1 0 18z", fill: 1 }],
  finished: [DISC, { path: "m7.5 12.5 3 3 6-6.5", width: 2.4 }],
  reused: [DISC, { path: "M7.5 12h9M13 8.5l3.5 3.5L13 15.5" }],
  failed: [
    { path: "M8.1 2h7.8L22 8.1v7.8L15.9 22H8.1L2 15.9V8.1z", fill: 0.16 },
    { path: "m9 9 6 6M15 9l-6 6", width: 2.4 },
  ],
  cancelled: [DISC, { path: "M7.5 12h9", width: 2.4 }],
  added: [SQUARE, { path: "M12 7.5v9M7.5 12h9", width: 2.4 }],
  removed: [SQUARE, { path: "M7.5 12h9", width: 2.4 }],
  changed: [SQUARE, { path: "M8 10h8M8 14h8M14.5 7l-5 10", width: 2.4 }],
  paused: [{ path: "M8.5 5v14M15.5 5v14", width: 4.4, flat: true }],
  held: [
    { path: "M5 22h14" },
    { path: "M5 2h14" },
    { path: "M17 22v-4.172a2 2 0 0 0-.586-1.414L12 12l-4.414 4.414A2 2 0 0 0 7 17.828V22" },
    { path: "M7 2v4.172a2 2 0 0 0 .586 1.414L12 12l4.414-4.414A2 2 0 0 0 17 6.172V2" },
  ],
};

function circle(radius: number): string {
  return `M${12 - radius} 12a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
}
