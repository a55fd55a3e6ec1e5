/** Commands that a run's pages and the list of accounts offer. */

import { expect, test } from "vitest";
import { PEOPLE } from "./accounts.ts";
import { JOBS, LOG } from "./lookback.ts";

test.each([
  [JOBS.command("run_1"), "weevil jobs run_1"],
  [
    JOBS.command("run_1", { text: "x is null", state: "FAILED", node: "pool", failed: true }),
    "weevil jobs run_1 'x is null' --state failed --node 'pool' --failed",
  ],
  [LOG.command("run_1", false), "weevil logs run_1"],
  [LOG.command("run_1", true), "weevil logs run_1 -f"],
  [PEOPLE.listCommand(""), "weevil user list"],
  [PEOPLE.listCommand("disabled"), "weevil user list --state disabled"],
])("%s", (told, command) => {
  expect(told).toBe(command);
});
