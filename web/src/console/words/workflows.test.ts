/** How many runs there are is told as far as the server counts. */

import { expect, test } from "vitest";
import { runsText } from "./workflows.ts";

test.each([
  [[], "0 runs"],
  [[1], "1 run"],
  [[99], "99 runs"],
  [[100], "100 runs or more"],
  // No version has as many as are counted: that is all of them.
  [[60, 0, 60], "120 runs"],
  [[3, 100], "103 runs or more"],
])("%o: %s", (counts, words) => {
  expect(runsText(counts)).toBe(words);
});
