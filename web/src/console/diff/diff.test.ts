/** What differs between two texts, and how it is shown. */

import { expect, test } from "vitest";
import type { GraphItem, GraphView } from "../../api/types.gen.ts";
import type { Outline } from "../editor/said.ts";
import { sceneOf } from "../graph/scene.ts";
import { MAX_DIFFERENCES, compare, compareLines } from "./lines.ts";
import { rowsOf } from "./rows.ts";
import { factsOfChanges, markEdges } from "./marks.ts";
import { compareEdges, compareFiles, compareNodes } from "./versions.ts";
import { compareWords } from "./words.ts";

const SIGNS = { same: " ", removed: "-", added: "+" };
const told = (one: string, other: string) =>
  compare([...one], [...other])
    .pieces.map(({ kind, text }) => SIGNS[kind] + text)
    .join("");

test.each([
  ["", "", ""],
  ["abc", "abc", " a b c"],
  ["abc", "", "-a-b-c"],
  ["", "abc", "+a+b+c"],
  ["abc", "axc", " a-b+x c"],
  ["abcabba", "cbabac", "-a-b c+b a b-b a+c"],
  ["ab", "bx", "-a b+x"],
])("from %j to %j is %j", (one, other, expected) => {
  expect(told(one, other)).toBe(expected);
});

test("every comparison leads from one to the other, by the shortest way", () => {
  let seed = 7;
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const word = () => Array.from({ length: next(12) }, () => "abc"[next(3)] ?? "");
  for (let round = 0; round < 300; round += 1) {
    const [one, other] = [word(), word()];
    const { pieces } = compare(one, other);
    const side = (gone: string) => pieces.filter(({ kind }) => kind !== gone).map(({ text }) => text);
    expect([side("added"), side("removed")]).toEqual([one, other]);
    expect(pieces.filter(({ kind }) => kind === "same").length).toBe(longestCommon(one, other));
  }
});

/** The length of the longest common subsequence, by the table of it. */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, () => 0);
  for (const a of one) {
    const next = [0];
    for (const [at, b] of other.entries()) next.push(a === b ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

test("texts that differ everywhere are told one behind the other", () => {
  const text = (letter: string) => Array.from({ length: MAX_DIFFERENCES }, (_, at) => `${letter}${at}`).join("\n");
  const { pieces, cut } = compareLines(text("a"), text("b"));
  expect([cut, pieces.length, pieces[0]?.kind, pieces.at(-1)?.kind]).toEqual([true, 2 * MAX_DIFFERENCES, "removed", "added"]);
});

test("an end of line is no line", () => {
  expect(compareLines("a\n", "a").pieces.map(({ kind }) => kind)).toEqual(["same"]);
  expect(compareLines("", "a\n").pieces.map(({ text }) => text)).toEqual(["a"]);
});

test("words are marked in both forms of a line", () => {
  expect(compareWords("return a + b;", "return a - b;")).toEqual([
    [
      { text: "return a ", marked: false },
      { text: "+", marked: true },
      { text: " b;", marked: false },
    ],
    [
      { text: "return a ", marked: false },
      { text: "-", marked: true },
      { text: " b;", marked: false },
    ],
  ]);
  const long = "a ".repeat(300);
  expect(compareWords(long, "b")).toEqual([[{ text: long, marked: true }], [{ text: "b", marked: true }]]);
});

test("equal lines far from a change are left out", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  const changed = lines.map((line, at) => (at === 10 ? "other" : line));
  const rows = rowsOf(compare(lines, [...changed, "more"]).pieces);
  const kinds = rows.map((row) => (row.kind === "skipped" ? `skipped ${row.count}` : row.kind));
  expect(kinds).toEqual([
    "skipped 7",
    "same",
    "same",
    "same",
    "changed",
    "same",
    "same",
    "same",
    "skipped 3",
    "same",
    "same",
    "same",
    "added",
  ]);
});

test("files that are not read are compared by what the server tells of them", () => {
  const stored = (path: string, hash: string) => ({ path, text: undefined, stored: { hash, length: 1 } });
  const files = compareFiles([stored("a", "1"), stored("b", "1")], [stored("a", "1"), stored("b", "2")]);
  expect(files.map(({ path, state }) => `${path} ${state}`)).toEqual(["a same", "b changed"]);
});

test("files, nodes and edges that came, went or changed are told", () => {
  const text = (path: string, words: string) => ({ path, text: words });
  const files = compareFiles([text("a", "1"), text("b", "1"), text("c", "1")], [text("b", "1"), text("c", "2"), text("d", "1")]);
  expect(files.map(({ path, state }) => `${path} ${state}`)).toEqual(["a removed", "b same", "c changed", "d added"]);
  const node = (id: string, returns: string) => ({ id, element: "job", returns, source: "Add", at: { from: 0, to: 0 }, ports: [] });
  const edge = (source: string) => ({ source, dest: "j", port: "" });
  const outline = (nodes: Outline["nodes"], edges: Outline["edges"]) => ({ nodes, edges, uses: [] }) as unknown as Outline;
  const one = outline([node("a", "Number"), node("b", "Number")], [edge("a"), edge("b")]);
  const other = outline([node("b", "String"), node("c", "Number")], [edge("b"), edge("c")]);
  expect(compareNodes(one, other).map(({ id, state }) => `${id} ${state}`)).toEqual(["a removed", "b changed", "c added"]);
  expect(compareNodes(one, other)[1]).toMatchObject({ old: "job b(): Number from Add", fresh: "job b(): String from Add" });
  expect(compareEdges(one, other).map(({ source, state }) => `${source} ${state}`)).toEqual(["a removed", "c added"]);
});

test("what differs is marked in a graph, also inside a stack", () => {
  const ids = ["a", "s", "s2", "s3", "z"];
  const layers = { counts: [1, 3, 1], layerOf: [0, 1, 1, 1, 2], itemOf: [0, 1, 1, 1, 4] };
  const item = (id: string, node: number, count: number): GraphItem => {
    return { id, node, count, kind: "job", layer: layers.layerOf[node] ?? 0, x: 0, y: 0, width: 168, height: 44 };
  };
  const items = [item("a", 0, 1), item("s", 1, 3), item("z", 4, 1)];
  const edges = [
    { from: 0, to: 1, count: 3 },
    { from: 1, to: 2, count: 3 },
  ];
  const view: GraphView = { workflow: "", nodes: 5, layers: 3, width: 700, height: 60, items, edges, cut: null };
  const change = (id: string, state: "added" | "changed") => ({ id, element: "job", state, old: "", fresh: "" });
  const facts = factsOfChanges([change("s2", "changed"), change("s3", "added"), change("z", "changed")], ids, layers);
  expect(items.map((one) => facts.markOf(one)?.word)).toEqual([undefined, "added", "changed"]);
  expect(items.map((one) => facts.partsOf(one).map(({ shape, count }) => `${count} ${shape}`))).toEqual([[], ["1 added", "1 changed"], []]);
  expect(facts.partsOfLayer(1).map(({ share }) => share)).toEqual([1 / 3, 1 / 3]);
  expect(facts.markOf(item("s3", 3, 1))?.word).toBe("added");
  const scene = sceneOf(view, new Map());
  const marked = markEdges(scene, view, [{ source: "a", dest: "s3", port: "", state: "added" }], ids, layers);
  expect(marked.edges.map(({ mark }) => mark)).toEqual(["added", undefined]);
  expect(markEdges(scene, view, [{ source: "gone", dest: "z", port: "", state: "added" }], ids, layers).edges).toEqual(scene.edges);
});
