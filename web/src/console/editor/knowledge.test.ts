/** What is known at a place of a document, and of drafts and values. */

import { expect, test } from "vitest";
import { valuesOf } from "../pages/editor/inputs.ts";
import { draftKey, readDraftKey } from "../pages/editor/keys.ts";
import { linesOf } from "../pages/editor/lines.ts";
import { isValueOf } from "../pages/workflows/inputs.ts";
import { contextAt } from "./context.ts";
import { draftIn } from "./drafts.ts";
import { explainAt, nodeAt, offersAt, placesOf, targetAt } from "./knowledge.ts";
import type { Outline } from "./said.ts";

/** What is offered at the mark. */
function offered(marked: string): string {
  const at = marked.indexOf("|");
  const context = contextAt(marked.replace("|", ""), at);
  return context === undefined
    ? ""
    : offersAt(context)
        .map(({ label }) => label)
        .join(" ");
}

test.each([
  ["|", "workflow"],
  ["<workflow><|</workflow>", "nodes finalnode edges"],
  ["<workflow><nodes></nodes><|</workflow>", "finalnode edges"],
  ["<nodes><value/><|</nodes>", "value job pool"],
  ["<pool><reducer/><|</pool>", "processor parameters"],
  ["<edges><edge/></|", "edges"],
  ["<edge source='a' |/>", "dest id paramdest"],
  ["<job jobtype='|'/>", "javascript webcl wasm"],
  ["<edge source='|'/>", ""],
  ["<other><|</other>", ""],
])("%j offers %j", (marked, expected) => {
  expect(offered(marked)).toBe(expected);
});

test("an element is written with what it must have, and the cursor where something is missing", () => {
  const written = (marked: string) => {
    const context = contextAt(marked.replace("|", ""), marked.indexOf("|"));
    const { apply = "", cursor = 0 } = (context && offersAt(context)[0]) ?? {};
    return `${apply.slice(0, cursor)}|${apply.slice(cursor)}`;
  };
  expect(written("<edges>|</edges>")).toBe('<edge source="|" dest="" />');
  expect(written("<workflow><|</workflow>")).toBe("nodes>|</nodes>");
  expect(written("<edge |/>")).toBe('source="|"');
});

const TEXT = '<value id="v" value="a&amp;b" returntype="String"/><job id="j" src="Add"/><edge source="v" dest="j"/>';
const place = (words: string, skip = 0) => ({ from: TEXT.indexOf(words) + skip, to: TEXT.indexOf(words) + words.length });
const OUTLINE = {
  nodes: [
    { id: "v", element: "value", returns: "String", source: "", value: "a&amp;b", at: place('id="v', 4), ports: [] },
    {
      id: "j",
      element: "job",
      returns: "Number",
      source: "Add",
      at: place('id="j', 4),
      ports: [{ id: "a", takes: "String", at: place("job") }],
    },
  ],
  uses: [
    { node: 0, at: place('source="v', 8) },
    { node: 1, at: place('dest="j', 6) },
  ],
  edges: [],
} as unknown as Outline;

test("a name leads to its node, a source to its file", () => {
  const files = [{ path: "Add.js", text: "" }];
  const target = (words: string) => targetAt(TEXT, TEXT.indexOf(words) + words.length, OUTLINE, files);
  expect(target('source="v')).toEqual({ kind: "place", at: place('id="v', 4) });
  expect(target('src="Ad')).toEqual({ kind: "file", path: "Add.js" });
  expect(target('returntype="S')).toBe(undefined);
  expect(target("<jo")).toBe(undefined);
});

test("a node is known by all places of its id", () => {
  const node = nodeAt(TEXT.indexOf('dest="j') + 6, OUTLINE);
  expect(node?.id).toBe("j");
  expect(node && placesOf(node, OUTLINE).map(({ from, to }) => TEXT.slice(from, to))).toEqual(["j", "j"]);
  expect(nodeAt(0, OUTLINE)).toBe(undefined);
});

test("a place is explained: a node by its signature, the rest by the language", () => {
  const told = (words: string) => explainAt(TEXT, TEXT.indexOf(words) + words.length, OUTLINE);
  expect(told('dest="j')).toBe("job j(a: String): Number");
  expect(told("<edge sou")).toBe("The id of the value, job or pool whose result is taken.");
  expect(told("<ed")).toContain("result of a node");
  expect(told('returntype="Str')).toBe("The type of the node's value.");
});

test("value nodes become rows of a form, as they are meant", () => {
  expect(valuesOf(OUTLINE)).toEqual([{ id: "v", type: "String", value: "a&b", source: "" }]);
  expect(valuesOf(undefined)).toEqual([]);
});

test.each([
  ["Number", "1e9 0xff -0.5 NaN Infinity", "x 1,5 1_0"],
  ["Boolean", "true false", "yes 1"],
  ["Array", "[1]", "{} 1 [1"],
  ["Object", "{}", "[] null 1"],
  ["Float32Array", "[1]", "1 x"],
  ["String", "x", ""],
])("a %s is one of %j and none of %j", (type, good, bad) => {
  const each = (texts: string) =>
    texts
      .split(" ")
      .filter((text) => text !== "")
      .map((text) => isValueOf(type, text));
  expect(each(good).every(Boolean)).toBe(true);
  expect(each(bad).some(Boolean)).toBe(false);
});

test("an empty text is no number", () => {
  expect([isValueOf("Number", ""), isValueOf("String", "")]).toEqual([false, true]);
});

test("what is stored is a draft, or nothing", () => {
  const draft = { key: draftKey("p", "pi", ""), name: "pi", at: 1, files: [{ path: "a", text: "" }] };
  expect(draftIn(draft)).toEqual(draft);
  for (const other of [
    null,
    1,
    {},
    { ...draft, at: "1" },
    { ...draft, files: [] },
    { ...draft, files: [{ path: 1 }] },
    { ...draft, files: [{ path: "a" }] },
  ])
    expect(draftIn(other)).toBe(undefined);
  expect(readDraftKey(draft.key)).toEqual({ project: "p", name: "pi", hash: "" });
  expect(["x", "{}", "[1]"].map(readDraftKey)).toEqual([undefined, undefined, undefined]);
});

test("lines of a text begin where it says", () => {
  const lines = linesOf("a\nbc\n");
  expect([1, 2, 3, 9].map((number) => lines.line(number))).toEqual([
    { from: 0, text: "a" },
    { from: 2, text: "bc" },
    { from: 5, text: "" },
    { from: 5, text: "" },
  ]);
});
