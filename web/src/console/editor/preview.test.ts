/** What is drawn of a document, and which node a place of its text belongs to. */

import { expect, test } from "vitest";
import type { DiagnosticView, GraphItem, GraphView } from "../../api/types.gen.ts";
import { linesOf } from "../pages/editor/lines.ts";
import { nodeAround } from "./knowledge.ts";
import { countsOf, mistakesOf } from "./preview.ts";
import type { NodeOutline, Outline } from "./said.ts";

const TEXT = `<nodes>
  <value id="v" value="1>2" />
  <job id="j" src="Add">
    <parameter id="a" />
  </job>
  <job src="None" />
</nodes>
<edge source="v" dest="j" />`;

const node = (id: string, element: string, words: string): NodeOutline => {
  const from = TEXT.indexOf(words) + words.length - (id === "" ? element.length : id.length);
  return { id, element, returns: "", source: "", at: { from, to: from + (id === "" ? element.length : id.length) }, ports: [] };
};
const NODES = [node("v", "value", '<value id="v'), node("j", "job", '<job id="j'), node("", "job", "/job>\n  <job")];
const item = (number: number, layer: number, count = 1): GraphItem => {
  return { id: NODES[number]?.id ?? "", node: number, count, kind: "job", layer, x: 0, y: 0, width: 1, height: 1 };
};
const GRAPH: GraphView = {
  workflow: "",
  nodes: 3,
  layers: 2,
  width: 1,
  height: 1,
  items: [item(0, 0), item(1, 1), item(2, 0)],
  edges: [],
  cut: null,
};
const dest = TEXT.indexOf('dest="j') + 6;
const OUTLINE: Outline = { nodes: NODES, uses: [{ node: 1, at: { from: dest, to: dest + 1 } }], edges: [], graph: GRAPH };

test.each([
  ["<nodes|>", undefined],
  ["<|value", 0],
  ['value="1>2|"', 0],
  ['2" />|\n', 0],
  ["|  <job id", 1],
  ["<job i|d", 1],
  ["<parameter i|d", 1],
  ["</job|>", 1],
  ['src="No|ne', 2],
  ['dest="j|"', 1],
  ["<edge |source", undefined],
] as const)("%j is in node %j", (marked, expected) => {
  const at = TEXT.indexOf(marked.replace("|", "")) + marked.indexOf("|");
  const found = nodeAround(TEXT, at, OUTLINE);
  expect(found === undefined ? undefined : NODES.indexOf(found)).toBe(expected);
});

test("an element that is not closed goes on to the end of its tag", () => {
  const text = "<value id='v'";
  const open: Outline = { ...OUTLINE, nodes: [{ ...(NODES[0] as NodeOutline), at: { from: 11, to: 12 } }], uses: [] };
  expect([3, 13].map((at) => nodeAround(text, at, open)?.id)).toEqual(["v", "v"]);
});

test("nodes of each layer are counted as they are drawn", () => {
  expect(countsOf({ ...GRAPH, items: [item(0, 0, 30), item(1, 1), item(2, 0)] })).toEqual([31, 1]);
});

test("a node is mistaken where an error stands in it, not a warning", () => {
  const at = (line: number, column: number, severity: "error" | "warning"): DiagnosticView => {
    return { severity, code: "W0150", message: "", help: null, file: "w.xml", line, column, endLine: line, endColumn: column };
  };
  const facts = mistakesOf(TEXT, linesOf(TEXT), [at(4, 6, "error"), at(2, 4, "warning"), at(7, 2, "error")], OUTLINE);
  expect(GRAPH.items.map((one) => facts.markOf(one)?.shape)).toEqual([undefined, "failed", undefined]);
});
