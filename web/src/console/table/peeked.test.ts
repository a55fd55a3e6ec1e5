/** The row that is peeked at, as it stands in the address. */

import { expect, test } from "vitest";
import { type Peeked, peekedIn, peekedText } from "./peeked.ts";

test.each<readonly [Peeked | undefined, string]>([
  [undefined, ""],
  [{ list: "runs", row: "run_1" }, "runs.run_1"],
  [{ list: "all-nodes", row: "a.b c" }, "all-nodes.a.b c"],
])("%o is %j", (now, text) => {
  expect(peekedText(now)).toBe(text);
  expect(peekedIn(text)).toEqual(now);
});

test("what names no list is no peek", () => {
  for (const text of ["run_1", ".run_1"]) expect(peekedIn(text), text).toBeUndefined();
});
