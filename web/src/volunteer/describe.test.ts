/** The words for each state, the browser's name, and the pace of painting. */

import { expect, test } from "vitest";
import type { WorkState } from "../api/types.gen.ts";
import { agentName } from "./agent.ts";
import { describe, share } from "./describe.ts";
import { IDLE } from "./idle.ts";
import { paintDelay } from "./view.ts";

test.each<readonly [WorkState, string, readonly string[]]>([
  ["idle", "Nothing is running.", ["start"]],
  ["connecting", "Connecting to the server…", ["stop"]],
  ["waiting", "Ready. There is nothing to compute right now.", ["pause", "stop"]],
  ["working", "Computing “pi”.", ["pause", "stop"]],
  ["paused", "Pausing: the jobs that run now end first.", ["resume", "stop"]],
  ["stopped", "Stopped. Nothing is running any more.", ["start"]],
  ["refused", "The server does not take work from this browser.", ["start"]],
  ["outdated", "The server is newer than this page. Reload it to go on.", ["reload"]],
])("%s", (state, sentence, buttons) => {
  const view = describe({ ...IDLE, state, busy: 1, workflow: "pi" });
  expect(view.sentence).toBe(sentence);
  expect(view.buttons).toEqual(buttons);
});

test("figures and thanks", () => {
  const status = { ...IDLE, state: "working", slots: 2, busy: 1, done: 1234, failed: 1, mflops: 1873.4 } as const;
  const view = describe({ ...status, source: "pi_step.js" });
  expect([view.done, view.failed, view.mflops, view.busy]).toEqual(["1,234", "1", "1,873", "1 of 2"]);
  expect(view.current).toBe("Now: pi_step.js");
  expect(view.thanks).toBe("Thank you: this browser has done 1,234 jobs.");
  expect(describe({ ...status, done: 1 }).thanks).toBe("Thank you: this browser has done one job.");
  expect(describe(IDLE).thanks).toBe("");
  expect(describe(IDLE).mflops).toBe("–");
});

test("the server's own words come first where it refuses", () => {
  expect(describe({ ...IDLE, state: "refused", message: "10,000 workers are connected." }).sentence).toContain("10,000");
});

test("a share of the cores", () => {
  expect(share(1, 1)).toBe("1 of 1 core");
  expect(share(2, 4)).toBe("2 of 4 cores");
  expect(share(8, 4)).toBe("8 slots");
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36", "Chrome 156 on Linux"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge 140 on Windows"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox 140 on Linux"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1", "Safari 18 on iOS"],
  ["something else", "A browser"],
])("%s", (userAgent, name) => {
  expect(agentName(userAgent)).toBe(name);
});

test("painting: at most once a second, at once on a new state, never while hidden", () => {
  expect(paintDelay(5000, 4800, false, false)).toBe(800);
  expect(paintDelay(9000, 4800, false, false)).toBe(0);
  expect(paintDelay(5000, 4800, true, false)).toBe(0);
  expect(paintDelay(5000, 4800, true, true)).toBeUndefined();
});
