/** The inks of a graph as colours of a canvas. */

import { paintsAt } from "../../paints.ts";
import { INKS, type Paints } from "./pen.ts";

export function inksAt(element: Element): Paints {
  const found = paintsAt(
    element,
    INKS.map((ink) => `--${ink}`),
  );
  return Object.fromEntries(INKS.map((ink) => [ink, found[`--${ink}`] ?? ""])) as Paints;
}
