/**
 * What part of a graph is looked at, and how much is shown of it. Pure.
 *
 * A camera names the point in the middle, so that it means the same on screens of every size.
 */

import type { Box, Point } from "./scene.ts";

export interface Camera {
  readonly x: number;
  readonly y: number;
  /** Pixels of the screen for one of the graph. */
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** `layers`: bars with counts. `boxes`: items without words. `full`: all that there is to say. */
export type Level = "layers" | "boxes" | "full";

export const MAX_ZOOM = 2;
const MIN_ZOOM = 0.005;
const LAYERS_BELOW = 0.12;
const BOXES_BELOW = 0.5;
/** As near as layers are seen. */
const FAR = LAYERS_BELOW * 0.9;
const MAX_STRETCH = 5;
/** Pixels around what is made to fit. */
const MARGIN = 24;

export function levelOf({ zoom }: Camera): Level {
  if (zoom < LAYERS_BELOW) return "layers";
  return zoom < BOXES_BELOW ? "boxes" : "full";
}

export function toGraph(camera: Camera, size: Size, [x, y]: Point): Point {
  return [camera.x + (x - size.width / 2) / camera.zoom, camera.y + (y - size.height / 2) / camera.zoom];
}

export function toScreen(camera: Camera, size: Size, [x, y]: Point): Point {
  return [(x - camera.x) * camera.zoom + size.width / 2, (y - camera.y) * camera.zoom + size.height / 2];
}

/** The part of the graph that is seen. */
export function seen(camera: Camera, size: Size): Box {
  const [x, y] = toGraph(camera, size, [0, 0]);
  return { x, y, width: size.width / camera.zoom, height: size.height / camera.zoom };
}

/** Moved by pixels of the screen. */
export function panned(camera: Camera, across: number, down: number): Camera {
  return { ...camera, x: camera.x + across / camera.zoom, y: camera.y + down / camera.zoom };
}

/** What is at this point of the screen stays there. */
export function zoomed(camera: Camera, size: Size, at: Point, factor: number): Camera {
  const zoom = clamp(camera.zoom * factor, MIN_ZOOM, MAX_ZOOM);
  const [x, y] = toGraph(camera, size, at);
  const [across, down] = [at[0] - size.width / 2, at[1] - size.height / 2];
  return { x: x - across / zoom, y: y - down / zoom, zoom };
}

/** All of the box, never larger than it is. */
export function fitted(box: Box, size: Size): Camera {
  const across = (size.width - 2 * MARGIN) / Math.max(1, box.width);
  const down = (size.height - 2 * MARGIN) / Math.max(1, box.height);
  return { ...centreOf(box), zoom: clamp(Math.min(across, down), MIN_ZOOM, 1) };
}

/** All of the box; where that is too small for items, all of its width, for bars of layers need no more. */
export function fittedFor(box: Box, size: Size): Camera {
  const all = fitted(box, size);
  if (levelOf(all) !== "layers") return all;
  const across = (size.width - 2 * MARGIN) / Math.max(1, box.width);
  return { ...all, zoom: clamp(across, MIN_ZOOM, FAR) };
}

/** How much further apart bars of layers stand than layers do: few of them have room. */
export function stretchOf(box: Box, size: Size): number {
  return clamp((size.width - 2 * MARGIN) / Math.max(1, box.width * FAR), 1, MAX_STRETCH);
}

/** Near enough to read it. */
export function looking(camera: Camera, box: Box): Camera {
  return { ...centreOf(box), zoom: Math.max(camera.zoom, BOXES_BELOW * 1.6) };
}

/** Never so far away that nothing is seen. */
export function within(camera: Camera, box: Box): Camera {
  return { ...camera, x: clamp(camera.x, box.x, box.x + box.width), y: clamp(camera.y, box.y, box.y + box.height) };
}

/** Moved as little as it takes to see the box. */
export function showing(camera: Camera, size: Size, box: Box): Camera {
  const view = seen(camera, size);
  const margin = MARGIN / camera.zoom;
  return {
    ...camera,
    x: camera.x + nudge(view.x + margin, view.width - 2 * margin, box.x, box.width),
    y: camera.y + nudge(view.y + margin, view.height - 2 * margin, box.y, box.height),
  };
}

function nudge(from: number, room: number, at: number, length: number): number {
  if (length > room || at < from) return at - from;
  return Math.max(0, at + length - (from + room));
}

function centreOf({ x, y, width, height }: Box): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 };
}

function clamp(number: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, number));
}

/** As it stands in an address. */
export function cameraText({ x, y, zoom }: Camera): string {
  return `${Math.round(x)},${Math.round(y)},${Number(zoom.toPrecision(3))}`;
}

/** `undefined` where an address names no place: anybody may have written it. */
export function cameraIn(text: string): Camera | undefined {
  const [x, y, zoom, ...more] = text.split(",").map(Number);
  if (x === undefined || y === undefined || zoom === undefined || more.length > 0) return undefined;
  if (![x, y, zoom].every(Number.isFinite) || zoom <= 0) return undefined;
  return { x, y, zoom: clamp(zoom, MIN_ZOOM, MAX_ZOOM) };
}
