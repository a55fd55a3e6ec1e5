/** The pauses as tables: what holds when, and what follows. */

import { expect, test } from "vitest";
import { AT_EASE, CALM, type Facts, type Reason, reasonOf, step } from "./reasons.ts";

/** Second, the facts that hold from then on, the reason a moment later. */
type Row = readonly [second: number, holds: readonly Reason[], reason: Reason | undefined];

function play(rows: readonly Row[]): void {
  let manners = AT_EASE;
  for (const [second, holds, reason] of rows) {
    const facts: Facts = { ...CALM, ...Object.fromEntries(holds.map((name) => [name, true])) };
    manners = step(manners, facts, second * 1000);
    expect(reasonOf(manners), `after ${second} s`).toBe(reason);
  }
}

test.each<readonly [string, readonly Row[]]>([
  [
    "battery: after a second, until it has charged for five",
    [
      [0, ["battery"], undefined],
      [1, ["battery"], "battery"],
      [60, [], "battery"],
      [64, [], "battery"],
      [65, [], undefined],
    ],
  ],
  [
    "a loose plug does not resume",
    [
      [0, ["battery"], undefined],
      [2, ["battery"], "battery"],
      [3, [], "battery"],
      [7, ["battery"], "battery"],
      [9, [], "battery"],
      [13, [], "battery"],
      [14, [], undefined],
    ],
  ],
  [
    "saving data: at once",
    [
      [0, ["saveData"], "saveData"],
      [1, [], "saveData"],
      [6, [], undefined],
    ],
  ],
  [
    "a glance at another tab does not pause",
    [
      [0, ["hidden"], undefined],
      [2, [], undefined],
      [9, ["hidden"], undefined],
      [12, ["hidden"], "hidden"],
      [13, [], "hidden"],
      [14, [], undefined],
    ],
  ],
  [
    "pressure: slow to come, slower to go",
    [
      [0, ["pressure"], undefined],
      [5, ["pressure"], undefined],
      [6, ["pressure"], "pressure"],
      [7, [], "pressure"],
      [26, [], "pressure"],
      [27, [], undefined],
    ],
  ],
  [
    "a spike is no pressure",
    [
      [0, ["pressure"], undefined],
      [4, [], undefined],
      [5, ["pressure"], undefined],
      [10, ["pressure"], undefined],
      [11, ["pressure"], "pressure"],
    ],
  ],
  [
    "several reasons: the first is told, the last one lets go",
    [
      [0, ["battery", "pressure"], undefined],
      [6, ["battery", "pressure"], "battery"],
      [7, ["pressure"], "battery"],
      [12, ["pressure"], "pressure"],
      [13, [], "pressure"],
      [33, [], undefined],
    ],
  ],
])("%s", (_, rows) => {
  play(rows);
});
