/** How the newest runs and the earlier ones become one list. */

import { expect, test } from "vitest";
import type { RunState, RunSummary } from "../../api/types.gen.ts";
import { listed, withPushedOut } from "./runs.ts";

function runs(...ids: string[]): RunSummary[] {
  return ids.map((id) => ({ id }) as RunSummary);
}

test("runs that newer ones push out of the list go in front of the earlier ones", () => {
  expect(withPushedOut(runs("5", "4", "3"), runs("4", "3", "2"), runs("1"))).toEqual(runs("2", "1"));
  expect(withPushedOut(runs("4", "2"), runs("4", "3", "2"), runs("1"))).toEqual(runs("1"));
  expect(withPushedOut(runs("4", "3"), runs("3", "2", "1"), runs("2"))).toEqual(runs("1", "2"));
  expect(withPushedOut([], runs("1"), [])).toEqual([]);
});

test("a run is listed once, as the newest news tell it, where it fits", () => {
  const run = (id: string, state: RunState, workflow: string): RunSummary => ({ id, state, workflow }) as RunSummary;
  const newest = [run("3", "FINISHED", "a"), run("2", "FAILED", "b")];
  const earlier = [run("2", "STARTED", "b"), run("1", "FAILED", "a")];
  const rows = [
    [null, null, "3 2 1"],
    ["FAILED", null, "2 1"],
    ["STARTED", null, ""],
    [null, "a", "3 1"],
    ["FAILED", "a", "1"],
  ] as const;
  for (const [state, workflow, ids] of rows) {
    const shown = listed(newest, earlier, { state, workflow, q: "", sort: "-created" }).map(({ id }) => id);
    expect(shown.join(" "), `${state} ${workflow}`).toBe(ids);
  }
});

test("runs that are looked for come by name, the newest of each first, or are those whose ids begin so", () => {
  const run = (id: string, name: string): RunSummary => ({ id, name, state: "FINISHED" }) as RunSummary;
  const newest = [run("run_4", "pi"), run("run_3", "pixel")];
  const earlier = [run("run_3", "pixel"), run("run_2", "pi"), run("run_12", "b"), run("run_11", "run_1 again"), run("run_01", "run_5")];
  for (const [q, ids] of [
    ["pi", "run_4 run_2 run_3"],
    ["pix", "run_3"],
    ["PI", ""],
    ["run_11", "run_11"],
    ["run_1", "run_12 run_11"],
    ["run_5", "run_01"],
    ["run_", "run_11 run_01"],
  ] as const) {
    const shown = listed(newest, earlier, { state: null, workflow: null, q, sort: "-created" }).map(({ id }) => id);
    expect(shown.join(" "), q).toBe(ids);
  }
});

test("in another order, what belongs behind the last that is known is left to the next page", () => {
  const run = (id: string, name: string): RunSummary => ({ id, name, state: "FINISHED" }) as RunSummary;
  const newest = [run("run_5", "b"), run("run_4", "d")];
  const known = { created: [run("run_1", "c"), run("run_2", "a")], name: [run("run_2", "a"), run("run_1", "c")] };
  for (const [sort, q, more, ids] of [
    ["created", "", true, "run_1 run_2"],
    ["created", "", false, "run_1 run_2 run_4 run_5"],
    ["created", "run_5", false, "run_5"],
    ["name", "", true, "run_2 run_5 run_1"],
    ["name", "", false, "run_2 run_5 run_1 run_4"],
    ["name", "run_5", false, ""],
  ] as const) {
    const shown = listed(newest, known[sort], { state: null, workflow: null, q, sort }, more).map(({ id }) => id);
    expect(shown.join(" "), `${sort} ${q} ${more}`).toBe(ids);
  }
});
