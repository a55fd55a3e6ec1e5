/** Where the units are in a figure. */

import { expect, test } from "vitest";
import { unitsIn } from "./units.ts";

test.each([
  ["12.3 s", "12.3[s]"],
  ["840 ms", "840[ms]"],
  ["4 min 05 s", "4[min] 05[s]"],
  ["2 h 03 min", "2[h] 03[min]"],
  ["95.2 %", "95.2[%]"],
  ["1,234 MFLOPS", "1,234[MFLOPS]"],
  ["1 slot", "1[slot]"],
  ["5 min ago", "5 min ago"],
  ["3 of 5", "3 of 5"],
  ["–", "–"],
  ["", ""],
])("%j is told as %j", (text, told) => {
  const parts = unitsIn(text).map(({ number, unit }) => `${number}${unit === "" ? "" : `[${unit.replace("\u2009", "")}]`}`);
  expect(parts.join("")).toBe(told);
});
