/** The lines of jobs: bounds, counts, replays, and a console that tells the server instead of the browser. */

import { expect, test } from "vitest";
import type { SlotReport } from "../../api/types.gen.ts";
import { JobLog, MAX_LINES, MAX_LINE_CHARS } from "./log.ts";
import { relayConsole } from "./realm/realm.ts";

interface Bench {
  readonly log: JobLog;
  /** `seq: text`, or `seq+number` of those left out. */
  readonly told: string[];
}

function bench(): Bench {
  const told: string[] = [];
  const log = new JobLog((report: SlotReport) => {
    if (report.kind === "log") told.push(`${report.seq}: ${report.text}`);
    if (report.kind === "leftOut") told.push(`${report.seq}+${report.lines}`);
  });
  log.begin(7);
  return { log, told };
}

test("each call is a line of its own, told at once, of the job that runs", () => {
  const { log, told } = bench();
  log.log("a", 1);
  log.warn({ b: 2 });
  log.error();
  log.begin(8);
  log.log("x".repeat(MAX_LINE_CHARS), "more");
  expect(told).toEqual(["7: a 1", "7: warn: {b: 2}", "7: error: ", `8: ${"x".repeat(MAX_LINE_CHARS - 1)}…`]);
});

test("ten million lines are a hundred, and a number", () => {
  const { log, told } = bench();
  const begun = performance.now();
  for (let line = 0; line < 10_000_000; line++) log.log(line);
  const ms = performance.now() - begun;
  log.end();
  log.end();
  expect(told[MAX_LINES - 1]).toBe(`7: ${MAX_LINES - 1}`);
  expect(told.slice(MAX_LINES, MAX_LINES + 4)).toEqual(["7+1", "7+2", "7+4", "7+8"]);
  expect(told.at(-1)).toBe(`7+${10_000_000 - MAX_LINES}`);
  expect(told.length).toBe(MAX_LINES + 25);
  expect(ms).toBeLessThan(2000);
});

test("a job with as many lines as it may have has left out none", () => {
  const { log, told } = bench();
  for (let line = 0; line < MAX_LINES; line++) log.log(line);
  log.end();
  log.begin(8);
  log.log("room again");
  log.end();
  expect(told.slice(MAX_LINES)).toEqual(["8: room again"]);
});

test("a job that is called again from its start says nothing twice", () => {
  const { log, told } = bench();
  log.log("loading");
  const mark = log.mark();
  for (let call = 1; call <= 3; call++) {
    log.replay(mark);
    for (let step = 1; step <= call; step++) log.log(`step ${step}`);
  }
  expect(told).toEqual(["7: loading", "7: step 1", "7: step 2", "7: step 3"]);
});

test("what traps log, and what they throw, stays theirs", () => {
  const { log, told } = bench();
  const nested = new Proxy(
    {},
    {
      getPrototypeOf: () => {
        log.log("from a trap");
        throw new Error("no");
      },
    },
  );
  log.log(nested);
  log.log("after");
  expect(told).toEqual(["7: something that cannot be shown as text", "7: after"]);
});

test("the console tells the server, keeps its other names, and leads nowhere else", () => {
  const { log, told } = bench();
  const said: unknown[] = [];
  const say = (...values: unknown[]): void => void said.push(values);
  const realm = { console: { log: say, info: say, debug: say, warn: say, error: say, table: say, assert: say, memory: 5 } };
  relayConsole(realm, log);
  const { console: relay } = realm;
  for (const name of ["log", "info", "debug", "warn", "error", "table", "assert"] as const) relay[name](name);
  expect(told).toEqual(["7: log", "7: info", "7: debug", "7: warn: warn", "7: error: error"]);
  expect([said, "memory" in relay]).toEqual([[], false]);
  realm.console = { ...relay, log: () => said.push("own") };
  realm.console.log();
  expect(said, "a job may have its own").toEqual(["own"]);
});
