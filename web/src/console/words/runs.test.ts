/** The command that lists the runs of a filter. */

import { expect, test } from "vitest";
import { RUNS } from "./runs.ts";

const ALL = { state: null, workflow: null, q: "", sort: "-created" } as const;

test.each([
  [ALL, "weevil runs"],
  [{ ...ALL, state: "FAILED" }, "weevil runs --state failed"],
  [{ ...ALL, workflow: "ab12", sort: "created" }, "weevil runs --workflow ab12 --sort created"],
  [{ ...ALL, q: "it's", state: "STARTED", sort: "name" }, "weevil runs 'it'\\''s' --state started --sort name"],
] as const)("%o is asked for as %s", (filter, command) => {
  expect(RUNS.listCommand(filter)).toBe(command);
});
