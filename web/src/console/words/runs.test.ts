/** The command that lists the runs of a filter. */

import { expect, test } from "vitest";
import { RUNS } from "./runs.ts";

test.each([
  [null, null, "weevil runs"],
  ["FAILED", null, "weevil runs --state failed"],
  [null, "ab12", "weevil runs --workflow ab12"],
  ["STARTED", "ab12", "weevil runs --state started --workflow ab12"],
] as const)("state %s and workflow %s are asked for as %s", (state, workflow, command) => {
  expect(RUNS.listCommand(state, workflow)).toBe(command);
});
