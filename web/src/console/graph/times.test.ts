/** For how long nodes run and ran, as attempts tell of it from look to look. */

import { describe, expect, test } from "vitest";
import { STATES } from "../../api/nodestates.ts";
import type { GraphItem, NodeState, TimelineAttempt } from "../../api/types.gen.ts";
import { factsOf } from "./facts.ts";
import { timeText } from "./look.ts";
import { MOST_ENDED, Stopwatch, longestFirst } from "./times.ts";

const attempt = (path: string, from: number, to: number | null, number = 1): TimelineAttempt => {
  return { job: path, path, number, worker: "w", slot: 0, end: to === null ? null : "completed", from, to };
};

describe("a stopwatch", () => {
  test("knows a job by its newest attempt, in whatever order they come", () => {
    const times = new Stopwatch().note([attempt("a", 50, 60, 2), attempt("a", 10, 40)], 0);
    expect([...times]).toEqual([["a", { from: 50, to: 60 }]]);
  });
  test("knows a pool from its first job to its last one, and that it goes on while one runs", () => {
    const watch = new Stopwatch();
    const first = watch.note([attempt("v/p/0/each", 10, 20), attempt("v/p/1/each", 15, null)], 0);
    expect([...first]).toEqual([["p", { from: 10, to: undefined }]]);
    const second = watch.note([attempt("v/p/1/each", 15, 40), attempt("v/p/sum", 41, 44)], 0);
    expect([...second]).toEqual([["p", { from: 10, to: 44 }]]);
  });
  test("knows a job by the end of its path, which leads there from a value", () => {
    expect([...new Stopwatch().note([attempt("v/a/b", 10, 40)], 0).keys()]).toEqual(["b"]);
  });
  test("keeps what has ended, and forgets what runs where nothing is told of it", () => {
    const watch = new Stopwatch();
    watch.note([attempt("a", 10, 20), attempt("b", 5, null)], 0);
    expect([...watch.note(undefined, 0).keys()]).toEqual(["a"]);
  });
  test("keeps no more than those that ended last, however many there are", () => {
    const watch = new Stopwatch();
    const named = (first: number, count: number) => Array.from({ length: count }, (_, at) => attempt(`n${first + at}`, at, at + 1));
    watch.note([attempt("v/p/0/each", 1, 2), ...named(0, MOST_ENDED - 1)], 0);
    const known = watch.note([attempt("v/p/1/each", 1, 9), ...named(MOST_ENDED, 5), attempt("runs", 3, null)], 0);
    expect(known.size).toBe(MOST_ENDED + 1);
    expect(["p", "n4", "n5", `n${MOST_ENDED + 4}`, "runs"].filter((id) => !known.has(id))).toEqual(["n4"]);
    expect(known.get("p")).toEqual({ from: 1, to: 9 });
  });
  test("tells by this clock", () => {
    expect(new Stopwatch().note([attempt("a", 10, null), attempt("b", 10, 15)], 1000)).toEqual(
      new Map([
        ["b", { from: 1010, to: 1015 }],
        ["a", { from: 1010, to: undefined }],
      ]),
    );
  });
  test("tells a job's next attempt apart from the one before", () => {
    const watch = new Stopwatch();
    watch.note([attempt("a", 10, 20)], 0);
    expect(watch.note([attempt("a", 70, null, 2)], 0).get("a")).toEqual({ from: 70, to: undefined });
  });
});

test("those that run for longest come first", () => {
  const times = new Stopwatch().note([attempt("a", 30, null), attempt("b", 10, null), attempt("c", 1, 2)], 0);
  expect(longestFirst(times)).toEqual(["b", "a"]);
});

test.each([
  [{ from: 1000, to: undefined }, 1100, "running for 1 s"],
  [{ from: 1000, to: undefined }, 13_999, "running for 12 s"],
  [{ from: 1000, to: undefined }, 126_000, "running for 2 min 05 s"],
  [{ from: 1000, to: 1042 }, 99_999, "ran for 42 ms"],
] as const)("%j is told at %d as %s", (span, now, words) => expect(timeText(span, now)).toBe(words));

describe("a time is told where it fits the state", () => {
  const item: GraphItem = { id: "a", node: 0, count: 1, kind: "job", layer: 0, x: 0, y: 0, width: 168, height: 44 };
  const layers = { counts: [1], layerOf: [0], itemOf: [0] };
  const [running, ended] = [null, 20].map((to) => new Stopwatch().note([attempt("a", 10, to)], 0));
  test.each([
    ["RUNNING", running, true],
    ["RUNNING", ended, false],
    ["FINISHED", ended, true],
    ["FINISHED", running, false],
    ["FAILED", ended, true],
    ["ENQUEUED", ended, false],
  ] as const)("%s", (state: NodeState, times, told) => {
    const states = Uint8Array.of(STATES.indexOf(state));
    const facts = factsOf(states, layers, new Map(), new Map(), times ?? new Map());
    expect(facts.timeOf(item) !== undefined).toBe(told);
  });
});
