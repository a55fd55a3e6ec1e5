/**
 * What runs turns, once in four seconds and in steps. By the beat of the page: an animation of the browser's has all of it drawn sixty
 * times a second.
 */

import { BEAT_MS, untilBeat } from "../live/beat.ts";

const RUNNING = '.state[data-shape="running"] .icon, .graph-running';
const TURN_MS = 4000;
const STEPS = TURN_MS / BEAT_MS;

export function startTurning(): void {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const turn = (step: number): void => {
    setTimeout(() => turn((step + 1) % STEPS), untilBeat());
    if (document.hidden || still.matches) return;
    for (const mark of document.querySelectorAll<SVGElement>(RUNNING)) mark.style.setProperty("--turn", `${step / STEPS}turn`);
  };
  turn(0);
}
