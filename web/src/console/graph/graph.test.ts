/** What of a graph is shown, found, walked and said: the pure parts. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { STATES } from "../../api/nodestates.ts";
import type { GraphItem, GraphLayers, GraphView, NodeState, Progress } from "../../api/types.gen.ts";
import { queryOf, sightIn } from "./address.ts";
import { type Camera, cameraIn, cameraText, fitted, levelOf, seen, showing, toGraph, toScreen, within, zoomed } from "./camera.ts";
import { factsOf } from "./facts.ts";
import { nextFailed } from "./failed.ts";
import { barsOf, layerAt } from "./layerbars.ts";
import { Rates } from "./rates.ts";
import { type OpenStack, curve, itemAt, itemsIn, sceneOf, waysFrom } from "./scene.ts";
import { SHAPES } from "./shapes.ts";
import { NO_TIMES } from "./times.ts";
import { commandOf, nextThat, walked } from "./walk.ts";

const item = (id: string, node: number, layer: number, y: number, more: Partial<GraphItem> = {}): GraphItem => ({
  id,
  node,
  count: 1,
  kind: "job",
  layer,
  x: layer * 264,
  y,
  width: 168,
  height: 44,
  ...more,
});

/** Two values, a stack of thirty jobs with a job below it, and a result. */
const VIEW: GraphView = {
  workflow: "",
  nodes: 34,
  layers: 3,
  width: 696,
  height: 200,
  items: [
    item("a", 0, 0, 0, { kind: "value" }),
    item("b", 1, 0, 64, { kind: "value" }),
    item("s", 2, 1, 0, { count: 30, height: 60, source: "Each.js" }),
    item("below", 32, 1, 80),
    item("last", 33, 2, 40, { isFinal: true }),
  ],
  edges: [
    { from: 0, to: 2, count: 30 },
    { from: 1, to: 3, count: 1 },
    { from: 2, to: 4, count: 30 },
    { from: 3, to: 4, count: 1, via: [[300, 150]] },
  ],
  cut: null,
};
const CLOSED = sceneOf(VIEW, new Map());
const STACK: OpenStack = { members: [2, 3, 4].map((node) => ({ id: node === 2 ? "s" : `s${node}`, node })), more: true };
const OPENED = sceneOf(VIEW, new Map([["s", STACK]]));
const SIZE = { width: 800, height: 400 };

describe("levels", () => {
  test.each([
    [0.01, "layers"],
    [0.119, "layers"],
    [0.12, "boxes"],
    [0.49, "boxes"],
    [0.5, "full"],
    [2, "full"],
  ])("at %d there are %s", (zoom, level) => expect(levelOf({ x: 0, y: 0, zoom })).toBe(level));
});

describe("the camera", () => {
  const camera: Camera = { x: 100, y: 50, zoom: 0.5 };
  test("goes from the screen to the graph and back", () => {
    expect(toGraph(camera, SIZE, [400, 200])).toEqual([100, 50]);
    expect(toScreen(camera, SIZE, toGraph(camera, SIZE, [13, 17]))).toEqual([13, 17]);
  });
  test.each([0.5, 1.25, 3])("keeps what is under the pointer, %d times as large", (factor) => {
    const at = [130, 70] as const;
    const [x, y] = toGraph(zoomed(camera, SIZE, at, factor), SIZE, at);
    const [before, above] = toGraph(camera, SIZE, at);
    expect([x, y].map((one) => one.toFixed(6))).toEqual([before, above].map((one) => one.toFixed(6)));
  });
  test("has bounds", () => {
    expect(zoomed(camera, SIZE, [0, 0], 100).zoom).toBe(2);
    expect(zoomed(camera, SIZE, [0, 0], 1e-9).zoom).toBeGreaterThan(0);
    expect(within({ x: -1e9, y: 1e9, zoom: 1 }, { x: 0, y: 0, width: 10, height: 20 })).toEqual({ x: 0, y: 20, zoom: 1 });
    expect(fitted({ x: 0, y: 0, width: 10, height: 10 }, SIZE).zoom).toBe(1);
  });
  test("moves as little as it takes", () => {
    const box = { x: 600, y: 0, width: 100, height: 40 };
    const moved = showing(camera, { width: 400, height: 400 }, box);
    const view = seen(moved, { width: 400, height: 400 });
    expect(view.x + view.width).toBeGreaterThanOrEqual(box.x + box.width);
    expect(showing(moved, { width: 400, height: 400 }, box)).toEqual(moved);
  });
  test.each([
    ["10,-20,0.5", { x: 10, y: -20, zoom: 0.5 }],
    ["1,2,99", { x: 1, y: 2, zoom: 2 }],
    ["1,2", undefined],
    ["1,2,3,4", undefined],
    ["1,x,1", undefined],
    ["1,2,0", undefined],
    ["", undefined],
  ])("is read from the address %j", (text, camera) => expect(cameraIn(text)).toEqual(camera));
  test("is written as it is read", () => expect(cameraIn(cameraText(camera))).toEqual(camera));
});

describe("a scene", () => {
  test("opens a stack in place, and moves what stands below it", () => {
    expect(OPENED.items.map(({ key }) => key)).toEqual(["a", "b", "s", "below", "last", "s s", "s s3", "s s4"]);
    const [closed, opened] = [CLOSED.items[3], OPENED.items[3]];
    const grown = (OPENED.items[2]?.height ?? 0) - 60;
    expect(grown).toBeGreaterThan(3 * 28);
    expect((opened?.y ?? 0) - (closed?.y ?? 0)).toBe(grown);
    expect(OPENED.items[4]?.y).toBe(CLOSED.items[4]?.y);
    expect(OPENED.edges[3]?.points[1]).toEqual([300, 150 + grown]);
    expect(OPENED.height).toBeGreaterThan(CLOSED.height);
    const frame = OPENED.items[2];
    for (const member of OPENED.items.slice(5)) {
      expect(member.y + member.height).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));
    }
  });
  test.each([
    [[10, 10], "a"],
    [[200, 10], undefined],
    [[280, 10], "s"],
    [[290, 70], "s s"],
    [[530, 60], "last"],
    [[-1, 0], undefined],
  ] as const)("is hit at %j", (at, key) => {
    const found = itemAt(OPENED, at);
    expect(found === undefined ? undefined : OPENED.items[found]?.key).toBe(key);
  });
  test("shows what is inside, in part as well", () => {
    expect(itemsIn(CLOSED, { x: 0, y: 0, width: 200, height: 50 })).toEqual([0]);
    expect(itemsIn(CLOSED, { x: 160, y: 40, width: 110, height: 40 })).toEqual([0, 1, 2, 3]);
  });
  test("lights the ways to the final node", () => {
    expect([...waysFrom(CLOSED, 1)].sort()).toEqual([1, 3]);
    expect([...waysFrom(CLOSED, 4)]).toEqual([]);
  });
  test("lights the ways on from a node of an opened stack", () => {
    const inside = OPENED.items.findIndex(({ key }) => key === "s s3");
    expect([...waysFrom(OPENED, inside)]).toEqual([2]);
  });
  test("has a key for each node, also where ids are missing or the same", () => {
    const broken = sceneOf({ ...VIEW, items: VIEW.items.map((one) => ({ ...one, id: one.node < 2 ? "" : "x" })) }, new Map());
    expect(new Set(broken.items.map(({ key }) => key)).size).toBe(5);
  });
  test("draws an edge that leads back around what it leads to", () => {
    const back = curve([
      [100, 0],
      [0, 50],
    ]);
    expect(back).toBe("M100 0C160 0 -60 50 0 50");
  });
  test("draws curves that are level at their ends", () => {
    expect(
      curve([
        [0, 0],
        [10, 20],
      ]),
    ).toBe("M0 0C5 0 5 20 10 20");
  });
});

describe("keys", () => {
  test.each([
    ["ArrowLeft", false, { kind: "walk", way: "left" }],
    ["ArrowDown", true, { kind: "pan", way: "down" }],
    ["+", true, { kind: "zoom", factor: 1.25 }],
    ["-", false, { kind: "zoom", factor: 0.8 }],
    ["0", false, { kind: "fit" }],
    ["PageDown", false, { kind: "page", way: "right" }],
    ["Home", false, { kind: "end", way: "left" }],
    ["Enter", false, { kind: "open" }],
    [" ", false, { kind: "open" }],
    ["t", false, undefined],
    ["Tab", false, undefined],
  ] as const)("%s with shift %s", (key, shift, command) => expect(commandOf(key, shift)).toEqual(command));
  test.each([
    ["a", "right", "s"],
    ["b", "right", "below"],
    ["last", "left", "s"],
    ["last", "right", "last"],
    ["a", "down", "b"],
    ["a", "up", "a"],
    ["s", "down", "s s"],
    ["s s4", "down", "below"],
    ["s s4", "right", "last"],
    ["s s", "left", "a"],
  ] as const)("from %s to the %s is %s", (from, way, to) => {
    const at = OPENED.items.findIndex(({ key }) => key === from);
    expect(OPENED.items[walked(OPENED, at, way)]?.key).toBe(to);
  });
  test("the next that fits is found behind, and from the beginning on", () => {
    const values = (at: number): boolean => CLOSED.items[at]?.kind === "value";
    expect([nextThat(CLOSED, undefined, values), nextThat(CLOSED, 0, values), nextThat(CLOSED, 1, values)]).toEqual([0, 1, 0]);
    expect(nextThat(CLOSED, 2, () => false)).toBe(undefined);
  });
});

describe("facts", () => {
  const itemOf = Array.from({ length: 34 }, (_, node) => (node >= 2 && node < 32 ? 2 : node));
  const layerOf = itemOf.map((one) => (one < 2 ? 0 : one < 33 ? 1 : 2));
  const layers: Pick<GraphLayers, "counts" | "layerOf" | "itemOf"> = { counts: [2, 31, 1], layerOf, itemOf };
  const code = (state: NodeState): number => STATES.indexOf(state);
  const states = new Uint8Array(34).fill(code("PARAM_NOT_FULFILLED"));
  states.fill(code("FINISHED"), 0, 12);
  [states[2], states[13], states[32]] = [code("FAILED"), code("RUNNING"), code("ENQUEUED")];
  const facts = factsOf(states, layers, new Map(), new Map(), NO_TIMES);
  test("are added up for stacks and layers", () => {
    const told = facts.partsOf(VIEW.items[2] as GraphItem).map(({ shape, count }) => [shape, count]);
    expect(told).toEqual([
      ["finished", 9],
      ["failed", 1],
      ["running", 1],
      ["waiting", 19],
    ]);
    expect(facts.partsOfLayer(0)).toEqual([{ shape: "finished", count: 2, share: 1 }]);
    expect(facts.partsOfLayer(1).reduce((all, { count }) => all + count, 0)).toBe(31);
  });
  test("say of many what needs somebody, and of one its state", () => {
    expect(VIEW.items.map((one) => facts.markOf(one)?.shape)).toEqual(["finished", "finished", "failed", "queued", "waiting"]);
  });
  test("of a paused run say that what is queued is held", () => {
    const now = states.slice().fill(code("FINISHED"), 2, 4);
    [now[4], now[13]] = [code("ENQUEUED"), code("ANSWERED")];
    const paused = factsOf(now, layers, new Map(), new Map(), NO_TIMES, true);
    expect(VIEW.items.map((one) => paused.markOf(one)?.word)).toEqual(["finished", "finished", "held", "held", "waits for inputs"]);
    expect(paused.partsOf(VIEW.items[2] as GraphItem).find(({ shape }) => shape === "held")?.count).toBe(2);
    const jobs: Progress = { total: 4, queued: 3, running: 0, done: 1, failed: 0 };
    const held = factsOf(now, layers, new Map([["p", jobs]]), new Map(), NO_TIMES, true);
    expect(held.partsOf(item("p", 0, 0, 0, { kind: "pool" })).map(({ shape }) => shape)).toEqual(["finished", "held"]);
  });
  test("are none where nobody knows", () => {
    const short = factsOf(new Uint8Array([250]), layers, new Map(), new Map(), NO_TIMES);
    expect(VIEW.items.map((one) => short.markOf(one))).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
  test("tell the jobs of a pool", () => {
    const jobs: Progress = { total: 10, queued: 4, running: 1, done: 5, failed: 0 };
    const pool = item("p", 0, 0, 0, { kind: "pool" });
    const known = factsOf(states, layers, new Map([["p", jobs]]), new Map([["p", 2.5]]), NO_TIMES);
    expect(known.partsOf(pool).map(({ shape, count }) => [shape, count])).toEqual([
      ["finished", 5],
      ["running", 1],
      ["queued", 4],
    ]);
    expect([known.jobsOf(pool), known.rateOf(pool)]).toEqual([jobs, 2.5]);
    const waits = new Uint8Array([code("PARAM_FULFILLED")]);
    const marks = [jobs, { ...jobs, running: 0 }].map(
      (now) => factsOf(waits, layers, new Map([["p", now]]), new Map(), NO_TIMES).markOf(pool)?.shape,
    );
    expect(marks).toEqual(["running", "waiting"]);
  });
});

test("rates are those of the last ten seconds", () => {
  const rates = new Rates();
  const at = (ms: number, done: number): number | undefined =>
    rates.note(ms, new Map([["p", { total: 100, queued: 0, running: 0, done, failed: 0 }]])).get("p");
  expect([at(0, 0), at(2000, 10), at(10_000, 50)]).toEqual([undefined, 5, 5]);
  expect(at(30_000, 50)).toBe(0);
});

describe("bars of layers", () => {
  const camera = { x: 264 * 5, y: 0, zoom: 0.1 };
  const bars = barsOf(
    Array.from({ length: 10 }, (_, at) => at + 1),
    camera,
    SIZE,
  );
  test("are as high as they have nodes", () => {
    const [first, last] = [bars[0]?.[1], bars.at(-1)?.[1]];
    expect((last?.height ?? 0) / (first?.height ?? 1)).toBeCloseTo(10);
    expect((first?.y ?? 0) + (first?.height ?? 0)).toBeCloseTo((last?.y ?? 0) + (last?.height ?? 0));
  });
  test.each(bars.map(([layer, box]) => [layer, box.x + box.width / 2]))("layer %d is hit", (layer, x) =>
    expect(layerAt(x, 10, camera, SIZE)).toBe(layer),
  );
  test("nothing is hit beside them", () => expect(layerAt(0, 10, camera, SIZE)).toBe(undefined));
});

describe("the address", () => {
  test.each([
    "",
    "node=val4",
    "node=a%2Cb&near=a%2Cb&hops=3",
    "open=a%252Cb%2Cc&at=1%2C2%2C0.5&follow=1&view=table",
    "after=n5_3",
    "layers=0%2C12",
  ])("%j is written as it is read", (text) => {
    const entries = Object.entries(queryOf(sightIn(new URLSearchParams(text)))).filter(([, value]) => value !== "");
    expect(new URLSearchParams(entries).toString()).toBe(text);
  });
  test.each(["hops=99&near=x", "hops=x&near=x", "hops=-1&near=x"])("%j has one hop", (text) =>
    expect(sightIn(new URLSearchParams(text)).hops).toBe(1),
  );
  test("what cannot be decoded opens nothing", () => expect(sightIn(new URLSearchParams("open=%25zz")).open).toEqual([]));
  test("what is no layer opens none", () => expect(sightIn(new URLSearchParams("layers=a,-1,1.5,,2")).layers).toEqual([2]));
});

test("shapes of a canvas are those of the icons", () => {
  const icons = readFileSync(new URL("../icons.svg", import.meta.url), "utf8");
  for (const [shape, strokes] of Object.entries(SHAPES)) {
    const symbol = icons.split(`id="state-${shape}"`)[1]?.split("</symbol>")[0] ?? "";
    const paths = [...symbol.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path);
    const own = strokes.map(({ path }) => path).filter((path) => !/^M\d+ 12a/.test(path));
    expect(own, shape).toEqual(paths);
    expect(strokes.length - own.length, shape).toBe([...symbol.matchAll(/<circle/g)].length);
  }
});

describe("the next failed node", () => {
  const [ok, failed] = [STATES.indexOf("FINISHED"), STATES.indexOf("FAILED")];
  const states = Uint8Array.from([ok, failed, ok, failed, ok]);
  test.each([
    [undefined, 1],
    [0, 1],
    [1, 3],
    [3, 1],
    [4, 1],
  ])("behind %s is at %d", (from, place) => expect(nextFailed(states, [], from)).toBe(place));
  test("may be a pool with failed jobs", () => {
    expect(nextFailed(states, [2], 1)).toBe(2);
    expect(nextFailed(undefined, [7], 7)).toBe(7);
  });
  test("may be missing", () => {
    expect(nextFailed(states.fill(ok), [], 2)).toBeUndefined();
    expect(nextFailed(undefined, [], undefined)).toBeUndefined();
  });
});
