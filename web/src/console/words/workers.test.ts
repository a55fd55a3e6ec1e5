/** What the console says of workers. */

import { expect, test } from "vitest";
import type { WorkerView } from "../../api/types.gen.ts";
import { WORKER as WORDS, WORKERS, doingText, shownText, sumsText, workerMark, workerText } from "./workers.ts";

const NOW = new Date(2026, 0, 6, 12, 0).getTime();
const HOUR = 3_600_000;

const WORKER: WorkerView = {
  id: "w",
  agent: "a",
  capabilities: ["javascript"],
  memoryMb: 0,
  slots: 1,
  busy: 0,
  inFlight: 0,
  done: 0,
  errors: 0,
  expired: 0,
  mflops: 0,
  connectedAt: NOW,
  lastHeardAt: NOW,
};
const PAUSED = { banned: false, pausedUntil: NOW + HOUR, note: "its fan is loud" };
const BANNED = { banned: true, pausedUntil: null, note: "" };

test.each<readonly [Partial<WorkerView>, string, readonly string[]]>([
  [{}, "idle", []],
  [{ busy: 1 }, "computing", []],
  [{ slots: 0 }, "lends nothing", ["It lends no slot"]],
  [{ restsUntil: NOW + HOUR }, "resting", ["It gets no judged jobs until 13:00:00"]],
  [{ busy: 1, heldBack: PAUSED }, "paused", ["Paused until 13:00: it is given nothing, and finishes what it holds. Note: its fan is loud"]],
  [{ gone: true }, "left", ["It has left."]],
  [{ gone: true, heldBack: PAUSED }, "left", ["It has left.", "Paused until 13:00"]],
  [{ gone: true, heldBack: BANNED }, "banned", ["It has left.", "Its device is banned: it is sent away whenever it comes."]],
])("%j", (rest, word, begins) => {
  const worker = { ...WORKER, ...rest };
  expect(workerMark(worker).word).toBe(word);
  const texts = workerText(worker, NOW);
  expect(texts.map((text, at) => text.slice(0, begins[at]?.length))).toEqual(begins);
});

test.each([
  [{ q: "", state: "connected", sort: "connected" }, "weevil workers"],
  [{ q: "it's", state: "connected", sort: "-done" }, "weevil workers 'it'\\''s' --sort -done"],
  [{ q: "RTX 4090", state: "gone", sort: "" }, "weevil workers 'RTX 4090' --gone"],
] as const)("%j is asked for as %s", (query, command) => {
  expect(WORKERS.listCommand(query)).toBe(command);
});

test("a worker may leave unsaid how much memory it has", () => {
  expect([0, 8192].map(WORDS.memory)).toEqual(["it does not say", "8,192 MiB"]);
});

test("sums are told with the most in front", () => {
  expect(sumsText({ Chrome: 3, other: 1200, Firefox: 3 })).toBe("other 1,200, Chrome 3, Firefox 3");
  expect(doingText({ idle: 1, computing: 2, away: 1 })).toBe("computing 2, idle 1, lends nothing 1");
  expect([shownText(1, false), shownText(100, true)]).toEqual(["1 worker shown", "100 workers shown, there are more"]);
});
