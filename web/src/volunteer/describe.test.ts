/** The words for each state, the browser's name, and the pace of painting. */

import { expect, test } from "vitest";
import { agentName } from "./agent.ts";
import { type PageState, type Situation, clock, describe, share } from "./describe.ts";
import { IDLE } from "./idle.ts";
import type { Reason } from "./manners/reasons.ts";
import { paintDelay } from "./pace.ts";
import { Words } from "./words/words.ts";

const EN = new Words("en");
const AT_REST: Situation = { state: "idle", status: IDLE, ownPause: false, reason: undefined, uptimeMs: 0, aim: undefined };

test.each<readonly [PageState, string, readonly string[]]>([
  ["idle", "Nothing is running.", ["start"]],
  ["connecting", "Connecting to the server…", ["stop"]],
  ["waiting", "Ready. There is nothing to compute right now.", ["pause", "finish", "stop"]],
  ["working", "Computing “pi”.", ["pause", "finish", "stop"]],
  ["paused", "Pausing: the jobs that run now end first.", ["resume", "stop"]],
  ["finishing", "Finishing: the jobs that run now end, then it stops.", ["stop"]],
  ["stopped", "Stopped. Nothing is running any more.", ["start"]],
  ["refused", "The server does not take work from this browser.", ["start"]],
  ["outdated", "The server is newer than this page. Reload it to go on.", ["reload"]],
  ["elsewhere", "Another tab of this browser is computing. This one takes over when it stops.", ["stop"]],
  ["notLoaded", "A part of this page did not load. Reload it to try again.", ["reload"]],
])("%s", (state, sentence, buttons) => {
  const view = describe({ ...AT_REST, state, ownPause: true, status: { ...IDLE, busy: 1, workflow: "pi" } }, EN);
  expect(view.sentence).toBe(sentence);
  expect(view.buttons).toEqual(buttons);
});

test.each<readonly [Reason | undefined, boolean, string, readonly string[]]>([
  ["battery", false, "Paused: on battery.", ["pause", "stop"]],
  ["saveData", false, "Paused: this browser saves data.", ["pause", "stop"]],
  ["hidden", false, "Paused: this tab is hidden.", ["pause", "stop"]],
  ["pressure", false, "Paused: other programs need the processor.", ["pause", "stop"]],
  ["battery", true, "Paused. Nothing is running.", ["resume", "stop"]],
  [undefined, true, "Paused. Nothing is running.", ["resume", "stop"]],
])("paused, %s, own %s", (reason, ownPause, sentence, buttons) => {
  const view = describe({ ...AT_REST, state: "paused", reason, ownPause }, EN);
  expect([view.sentence, view.buttons]).toEqual([sentence, buttons]);
});

test.each([
  ["connecting", null, "Connecting to the server…", ""],
  ["connecting", 7200, "The server cannot be reached. This page goes on trying, and keeps what is finished.", "Next try in 8 s."],
  ["paused", 7200, "Paused. Nothing is running.", ""],
] as const)("%s, next try in %o ms", (state, retryMs, sentence, retry) => {
  const view = describe({ ...AT_REST, state, status: { ...IDLE, retryMs } }, EN);
  expect([view.sentence, view.retry]).toEqual([sentence, retry]);
});

test("figures and thanks", () => {
  const status = { ...IDLE, slots: 2, busy: 1, done: 1234, failed: 1, mflops: 1873.4, source: "pi_step.js" };
  const working = { ...AT_REST, state: "working", status, uptimeMs: 3_723_000 } as const;
  const view = describe(working, EN);
  expect([view.done, view.failed, view.mflops, view.busy]).toEqual(["1,234", "1", "1,873", "1 of 2"]);
  expect([view.current, view.uptime]).toEqual(["Now: pi_step.js", "1:02:03"]);
  expect(view.thanks).toBe("Thank you: this browser has done 1,234 jobs.");
  expect(describe(working, new Words("de")).thanks).toBe("Danke: Dieser Browser hat 1.234 Jobs gerechnet.");
  expect(describe({ ...working, status: { ...status, done: 1 } }, EN).thanks).toBe("Thank you: this browser has done one job.");
  expect(describe(AT_REST, EN).thanks).toBe("");
});

test("the server's own words stand beside ours", () => {
  const status = { ...IDLE, message: "10,000 workers are connected." };
  expect(describe({ ...AT_REST, state: "refused", status }, EN).detail).toBe("10,000 workers are connected.");
});

test("a share of the cores, and a time", () => {
  expect(share(2, 4, EN)).toBe("2 of 4");
  expect(share(8, 4, EN)).toBe("8 slots");
  expect([clock(0), clock(59_999), clock(360_000_000)]).toEqual(["0:00:00", "0:00:59", "100:00:00"]);
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36", "Chrome 156 on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
    "Edge 140 on Windows",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox 140 on Linux"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari 18 on iOS",
  ],
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
