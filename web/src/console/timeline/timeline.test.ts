/** What a timeline computes: its time, its rows, where bars stand. */

import { expect, test } from "vitest";
import type { TimelineAttempt, TimelineView } from "../../api/types.gen.ts";
import { momentsOf } from "./moments.ts";
import { hitAt, momentAt, planOf, toneOf, xOf } from "./picture.ts";
import { MAX_ROWS, inSpan, neighbour, nodeOf, rowsOf } from "./rows.ts";
import { equal, moved, showing, spanIn, ticks, within, zoomed } from "./span.ts";

const WHOLE = { from: 1000, to: 11_000 };
const WORDS = { rest: "all others", slot: (slot: number) => `slot ${slot}` };

function attempt(job: string, from: number, to: number | null, more: Partial<TimelineAttempt> = {}): TimelineAttempt {
  return { job, path: "pool/0/each", number: 1, worker: "wrk_a", slot: 0, end: to === null ? null : "completed", from, to, ...more };
}

function view(attempts: TimelineAttempt[] | null, more: Partial<TimelineView> = {}): TimelineView {
  return { from: 0, to: 100, attempts, lanes: [], rest: [], sharesFrom: 0, shareMs: 10, next: null, ...more };
}

const lane = (worker: string, slot: number) => ({ worker, slot, began: 0, ended: 0, first: 1, shares: [255, 0, 51] });

test.each([
  [
    { from: 2000, to: 3000 },
    { from: 2000, to: 3000 },
  ],
  [
    { from: 0, to: 500 },
    { from: 1000, to: 1500 },
  ],
  [
    { from: 10_900, to: 12_900 },
    { from: 9000, to: 11_000 },
  ],
  [{ from: -5, to: 99_999 }, WHOLE],
  [
    { from: 2000.4, to: 2000.4 },
    { from: 2000, to: 2010 },
  ],
])("%o is cut to what there is", (span, expected) => {
  expect(within(span, WHOLE)).toEqual(expected);
});

test("what is under the pointer stays there while somebody zooms", () => {
  for (const at of [1000, 4321, 11_000]) {
    const closer = zoomed(WHOLE, at, 0.5, WHOLE);
    expect((at - closer.from) / (closer.to - closer.from)).toBeCloseTo((at - WHOLE.from) / 10_000, 3);
    expect(closer.to - closer.from).toBe(5000);
    expect(zoomed(closer, at, 2, WHOLE)).toEqual(WHOLE);
  }
  let span = WHOLE as { from: number; to: number };
  for (let step = 0; step < 40; step++) span = zoomed(span, 4321, 0.5, WHOLE);
  expect(span.to - span.from).toBe(10);
});

test("time is moved as far as there is some, and to what is meant", () => {
  const span = { from: 2000, to: 4000 };
  expect(moved(span, 0.5, WHOLE)).toEqual({ from: 3000, to: 5000 });
  expect(moved(span, -9, WHOLE)).toEqual({ from: 1000, to: 3000 });
  expect(equal(showing(span, { from: 2500, to: 2600 }, WHOLE), span)).toBe(true);
  expect(showing(span, { from: 9000, to: 9100 }, WHOLE)).toEqual({ from: 8050, to: 10_050 });
  expect(showing(span, { from: 1000, to: 9000 }, WHOLE)).toEqual({ from: 1000, to: 9000 });
});

test("marks of the axis stand at whole steps since the beginning", () => {
  expect(ticks({ from: 1000, to: 11_000 }, 1000, 6)).toEqual([1000, 3000, 5000, 7000, 9000, 11_000]);
  expect(ticks({ from: 3100, to: 3190 }, 1000, 5)).toEqual([3100, 3120, 3140, 3160, 3180]);
  const days = ticks({ from: 0, to: 400 * 864e5 }, 0, 5);
  expect(days.length).toBeLessThanOrEqual(6);
});

test.each([
  ["from=5&to=9", { from: 5, to: 9 }],
  ["from=9&to=5", undefined],
  ["from=5", undefined],
  ["from=x&to=9", undefined],
  ["from=1.5&to=9", undefined],
  ["", undefined],
])("the address %s says which time", (query, expected) => {
  expect(spanIn(new URLSearchParams(query))).toEqual(expected);
});

test.each([
  ["pool/17/each", "pool"],
  ["a/pool/0/each", "a/pool"],
  ["pool/sum", "pool/sum"],
  ["job", "job"],
  ["0/each", "0/each"],
])("%s is of the node %s", (path, node) => {
  expect(nodeOf(path)).toBe(node);
});

test("lanes stand in the order of workers and slots, and what has no slot stands where there is room", () => {
  const attempts = [
    attempt("b1", 20, 30, { worker: "wrk_b", slot: 1 }),
    attempt("late", 50, null, { slot: null }),
    attempt("a0", 0, 40),
    attempt("early", 10, 20, { slot: null, end: "expired" }),
  ];
  const rows = rowsOf(view(attempts, { lanes: [lane("wrk_b", 0)] }), "worker", 100, WORDS);
  expect(rows.map(({ id, bars }) => [id, ...bars.map(({ attempt: { job } }) => job)])).toEqual([
    ["wrk_a.0", "a0", "late"],
    ["wrk_a.1", "early"],
    ["wrk_b.0"],
    ["wrk_b.1", "b1"],
  ]);
  expect(rows[0]?.bars[1]?.to).toBe(100);
  expect(rows[0]?.label).toBe("wrk_a slot 0");
});

test("by node there is a row for each, in the order in which they began", () => {
  const attempts = [attempt("sum", 50, 60, { path: "pool/sum" }), attempt("1", 20, 30, { path: "pool/1/each" }), attempt("0", 10, 40)];
  const rows = rowsOf(view(attempts), "node", 100, WORDS);
  expect(rows.map(({ id, bars }) => [id, ...bars.map(({ attempt: { job } }) => job)])).toEqual([
    ["pool", "0", "1"],
    ["pool/sum", "sum"],
  ]);
});

test("what is beyond the last row is one row", () => {
  const attempts = Array.from({ length: MAX_ROWS + 9 }, (_, at) => attempt(`j${at}`, at, at + 1, { slot: at }));
  const rows = rowsOf(view(attempts), "worker", 100, WORDS);
  expect([rows.length, rows.at(-1)?.id, rows.at(-1)?.bars.length]).toEqual([MAX_ROWS, "rest", 10]);
  expect(rows.reduce((sum, { bars }) => sum + bars.length, 0)).toBe(MAX_ROWS + 9);
});

test("where attempts are too many, rows say how busy slots were", () => {
  const rows = rowsOf(view(null, { lanes: [lane("wrk_a", 0)], rest: [0, 4, 2] }), "worker", 100, WORDS);
  expect(rows.map(({ id, busy }) => [id, busy?.from, busy?.widthMs, busy?.shares])).toEqual([
    ["wrk_a.0", 10, 10, [1, 0, 0.2]],
    ["rest", 0, 10, [0, 1, 0.5]],
  ]);
});

test.each([
  [{ from: 0, to: 5 }, ["a"]],
  [{ from: 10, to: 20 }, ["a", "b"]],
  [{ from: 31, to: 99 }, []],
])("of %o only what reaches into it is told", (span, expected) => {
  const rows = rowsOf(view([attempt("a", 0, 10), attempt("b", 20, 30)]), "worker", 100, WORDS);
  expect(inSpan(rows, span).flatMap(({ bars }) => bars.map((bar) => bar.attempt.job))).toEqual(expected);
});

test("arrows go to the next bar of a row, and to the nearest one of the next row that has some", () => {
  const attempts = [
    attempt("1", 0, 10),
    attempt("2", 20, 30),
    attempt("3", 19, 22, { worker: "wrk_c" }),
    attempt("4", 90, 99, { worker: "wrk_c" }),
  ];
  const rows = rowsOf(view(attempts, { lanes: [lane("wrk_b", 0)] }), "worker", 100, WORDS);
  const job = (from: string | undefined, way: Parameters<typeof neighbour>[2]) => {
    const here = rows.flatMap(({ bars }) => bars).find((bar) => bar.attempt.job === from);
    return neighbour(rows, here, way)?.attempt.job;
  };
  expect(["right", "left", "down", "up"].map((way) => job("2", way as "up"))).toEqual([undefined, "1", "3", undefined]);
  expect(["right", "up"].map((way) => job("3", way as "up"))).toEqual(["4", "2"]);
  expect(job(undefined, "left")).toBe("1");
});

test("a bar is hit where it is drawn", () => {
  const rows = rowsOf(view([attempt("1", 1000, 2000), attempt("2", 6000, 6000, { slot: 1 })]), "worker", 100, WORDS);
  const plan = planOf(rows.length, 800);
  const at = (moment: number, row: number) =>
    hitAt(plan, { rows, span: WHOLE }, xOf(plan, WHOLE, moment), plan.top + (row + 0.5) * plan.row)?.attempt.job;
  expect([at(1500, 0), at(1500, 1), at(6000, 1), at(4000, 0), at(1500, 9), at(1500, -1)]).toEqual([
    "1",
    undefined,
    "2",
    undefined,
    undefined,
    undefined,
  ]);
  expect(momentAt(plan, WHOLE, xOf(plan, WHOLE, 4321))).toBeCloseTo(4321, 6);
  expect(planOf(MAX_ROWS, 360).row * MAX_ROWS).toBeLessThan(2000);
});

test("each end has the colour of its state", () => {
  expect([null, "completed", "error", "expired", "cancelled", "lost"].map(toneOf)).toEqual([
    "--running",
    "--finished",
    "--failed",
    "--failed",
    "--cancelled",
    "--held",
  ]);
});

test("what was computed over time is told of the time that is shown", () => {
  const bins = { from: 1000, widthMs: 500, mflops: [1, 2, 3, 4], busy: [0.5, 1, 2] };
  expect(momentsOf(bins, { from: 1600, to: 2100 })).toEqual([
    { from: 1500, mflops: 2, busy: 1 },
    { from: 2000, mflops: 3, busy: 2 },
  ]);
  expect(momentsOf(bins, { from: 1000, to: 3000 }).map(({ busy }) => busy)).toEqual([0.5, 1, 2, 0]);
  expect(momentsOf(bins, { from: 0, to: 1000 })).toEqual([]);
});
