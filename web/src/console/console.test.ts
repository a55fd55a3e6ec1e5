/** The console's pure parts: names of files, texts for people, rows of a form, the printer of results. */

import { expect, test } from "vitest";
import { relative } from "./pages/workflows/collect.ts";
import { age, clock, cut, decided, duration, jobs, percent, rate, size } from "./words/format.ts";
import { filledIn } from "./pages/workflows/inputs.ts";
import { equal, inRun } from "./pages/run/nodes.ts";

function chosen(...paths: string[]): ReturnType<typeof relative> {
  return relative(paths.map((path) => ({ path, content: new Blob([]) })));
}

function names(...paths: string[]): string[] {
  return chosen(...paths).files.map((file) => file.name);
}

test("files are named from the workflow's folder", () => {
  expect(names("pi/workflow.xml", "pi/lib/a.js")).toEqual(["workflow.xml", "lib/a.js"]);
  expect(names("workflow.xml", "lib/a.js")).toEqual(["workflow.xml", "lib/a.js"]);
  expect(names("pi/workflow.xml", "add/workflow.xml")).toEqual(["pi/workflow.xml", "add/workflow.xml"]);
  expect(names("pi/.DS_Store", "pi/.git/config", "pi/workflow.xml")).toEqual(["workflow.xml"]);
  expect(names("workflow.xml")).toEqual(["workflow.xml"]);
  expect(names()).toEqual([]);
  const named = [["pi/workflow.xml"], ["workflow.xml"], ["My pi.ZIP"], [".zip"], ["pi.zip", "a.js"], ["pi/pi.zip"]];
  expect(named.map((paths) => chosen(...paths).name)).toEqual(["pi", "", "My pi", "", "", "pi"]);
});

test("texts", () => {
  const now = 1_000_000_000_000;
  const ages = [1, 30_000, 3 * 60_000, 7_200_000, 86_400_000, 864_000_000].map((passed) => age(now - passed, now));
  expect(ages).toEqual(["just now", "30 s ago", "3 min ago", "2 h ago", "1 day ago", "10 days ago"]);
  expect(age(now + 5000, now)).toBe("just now");
  expect([840, 12_345, 59_999, 245_000, 7_380_000].map(duration)).toEqual(["840 ms", "12.3 s", "59.9 s", "4 min 05 s", "2 h 03 min"]);
  expect(jobs({ total: 1001, queued: 0, running: 0, done: 612, failed: 0 })).toBe("612 of 1,001 jobs");
  expect(jobs({ total: 1, queued: 0, running: 0, done: 0, failed: 1 })).toBe("0 of 1 job, 1 failed");
  expect(jobs({ total: 1001, queued: 0, running: 0, done: 612, failed: 0, reused: 12 })).toBe("612 of 1,001 jobs, 12 reused");
  expect(jobs({ total: 9, queued: 0, running: 0, done: 8, failed: 1, reused: 1200 })).toBe("8 of 9 jobs, 1,200 reused, 1 failed");
  expect(jobs({ total: 9, queued: 0, running: 2, done: 4, failed: 1, answered: 2, reused: 3 })).toBe(
    "4 of 9 jobs, 3 reused, 2 answered, 1 failed",
  );
  expect(jobs({ total: 9, queued: 0, running: 0, done: 9, failed: 0, answered: 0 })).toBe("9 of 9 jobs");
  const words = (
    [
      ["FINISHED", 1],
      ["FINISHED", 2],
      ["FINISHED", null],
      ["STARTED", 1],
    ] as const
  ).map(([state, places]) => decided(state, places));
  expect(words).toEqual(["Decided from one place.", "", "", ""]);
  expect([0, 999, 1656, 33_554_432, 2_400_000_000].map(size)).toEqual(["0 B", "999 B", "1.7 kB", "33.6 MB", "2.4 GB"]);
  expect([percent(0.9518), rate(0), rate(3.25), rate(1873.4)]).toEqual(["95.2 %", "–", "3.3", "1,873"]);
  expect([cut("run_38gzat4500000"), cut("3f2a91c0d4e5f60718293a4b77be")]).toEqual(["run_38gzat4500000", "3f2a91c0…77be"]);
});

test("of a form's rows those count in which something stands", () => {
  const rows = [
    ["val1", "12"],
    ["", ""],
    [" val2\t", " x "],
    ["val3", ""],
    [" ", ""],
    ["", "7"],
  ] as const;
  const filled = filledIn(rows.map(([id, value]) => ({ id, value }))).map(({ id, value }) => [id, value]);
  expect(filled).toEqual([
    ["val1", "12"],
    ["val2", " x "],
    ["val3", ""],
    ["", "7"],
  ]);
});

test("a node's jobs are shown again only where text or bar would differ", () => {
  const before = { total: 9, queued: 1, running: 0, done: 3, failed: 0 };
  const seen = [
    {},
    { answered: 0 },
    { queued: 0 },
    { running: 1 },
    { done: 4 },
    { total: 10 },
    { failed: 1 },
    { answered: 1 },
    { reused: 1 },
  ];
  expect(seen.map((change) => equal({ ...before, ...change }, before))).toEqual([true, true, ...Array<boolean>(7).fill(false)]);
  expect([equal(before, null), equal(before, undefined)]).toEqual([false, false]);
});

test("a node's path is shown without its run's part", () => {
  expect(["/user/rootSupervisor/run_1/val1/val3", "/user/rootSupervisor/run_1/val1"].map(inRun)).toEqual(["val1/val3", "val1"]);
});

test("moments", () => {
  const now = new Date(2026, 0, 6, 12, 0).getTime();
  const at = (day: number, hour: number): number => new Date(2026, 0, day, hour, 5, 9).getTime();
  expect([clock(at(6, 9), now), clock(at(6, 0), now, true), clock(at(5, 19), now)]).toEqual(["09:05", "00:05:09", "Jan 5, 19:05"]);
});
