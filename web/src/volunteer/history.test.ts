/** The line of the last five minutes. */

import { expect, test } from "vitest";
import { History } from "./history.ts";

test("a line needs two points, grows from the right and is scaled to its highest", () => {
  const history = new History();
  expect(history.picture(290, 40)).toEqual({ line: "", area: "", most: 0 });
  history.add(0, 10);
  expect(history.picture(290, 40)).toEqual({ line: "", area: "", most: 10 });
  history.add(2000, 20);
  history.add(4000, 0);
  expect(history.picture(290, 40)).toEqual({ line: "M270 20L280 0L290 40", area: "M270 20L280 0L290 40V40H270Z", most: 20 });
});

test("the newest word counts within a point, and only five minutes are kept", () => {
  const history = new History();
  history.add(0, 99);
  history.add(1000, 1);
  for (let second = 2; second <= 400; second++) history.add(second * 1000, 2);
  const { line, most } = history.picture(149, 10);
  expect([line.split("L").length, most]).toEqual([150, 2]);
  expect(line.startsWith("M0 0L1 0")).toBe(true);
});
