/** What pointers do to a graph: drag it, pinch it, turn the wheel over it, press something. Never decides what that means. */

import type { Point } from "./scene.ts";

export interface Grip {
  /** By pixels of the screen. */
  readonly pan: (across: number, down: number) => void;
  readonly zoom: (at: Point, factor: number) => void;
  readonly press: (at: Point) => void;
  /** `undefined`: away from it. */
  readonly hover: (at: Point | undefined) => void;
}

/** Pixels that a finger may tremble. */
const STILL = 4;
const WHEEL = 0.0015;
/** Lines and pages, in pixels, as a wheel may count. */
const UNITS = [1, 16, 400] as const;

export function listenToHands(element: HTMLElement, grip: Grip): void {
  const held = new Map<number, Point>();
  let moved = 0;
  const at = (event: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    if (held.size === 0) moved = 0;
    held.set(event.pointerId, at(event));
  });
  element.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    const now = at(event);
    if (before === undefined) return grip.hover(event.pointerType === "mouse" ? now : undefined);
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (moved < STILL) return;
    // Not before it moves: what is pressed would not be told of it.
    element.setPointerCapture(event.pointerId);
    drag(held, event.pointerId, before, now, grip);
  });
  const release = (event: PointerEvent): void => {
    if (held.delete(event.pointerId) && held.size === 0 && moved < STILL && event.type === "pointerup") grip.press(at(event));
  };
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerleave", () => grip.hover(undefined));
  const turn = (event: WheelEvent): void => {
    event.preventDefault();
    grip.zoom(at(event), Math.exp(-event.deltaY * (UNITS[event.deltaMode] ?? 1) * WHEEL * (event.ctrlKey ? 5 : 1)));
  };
  element.addEventListener("wheel", turn, { passive: false });
}

/** One finger moves it; two of them say how large it is. */
function drag(held: Map<number, Point>, pointer: number, before: Point, now: Point, grip: Grip): void {
  held.set(pointer, now);
  const other = [...held].find(([id]) => id !== pointer)?.[1];
  if (other === undefined) return grip.pan(before[0] - now[0], before[1] - now[1]);
  const far = (point: Point): number => Math.hypot(point[0] - other[0], point[1] - other[1]);
  grip.pan((before[0] - now[0]) / 2, (before[1] - now[1]) / 2);
  grip.zoom([(now[0] + other[0]) / 2, (now[1] + other[1]) / 2], far(now) / Math.max(1, far(before)));
}
