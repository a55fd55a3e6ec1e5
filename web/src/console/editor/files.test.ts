/** Files of a workflow that is edited. */

import { expect, test } from "vitest";
import {
  EMPTY,
  contentOf,
  documentOf,
  fileOf,
  isFree,
  renamed,
  resolve,
  sameFiles,
  sorted,
  whyNoText,
  withFile,
  withText,
  without,
} from "./files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const named = (...paths: string[]) => paths.map((path) => ({ path, text: "" }));
const paths = (files: readonly { path: string }[]) => files.map(({ path }) => path).join(" ");

test.each([
  ["a.js", bytes("x é"), "x é"],
  ["a.xml", bytes("\uFEFF<a/>"), "\uFEFF<a/>"],
  ["a.js", Uint8Array.of(0xff), undefined],
  ["a.wasm", bytes("x"), undefined],
  ["a.json", new Uint8Array(4 * 1024 * 1024 + 1), undefined],
])("%s is a text where it can be edited, and the same bytes again", (path, content, text) => {
  const file = fileOf(path, content);
  expect(file.text).toBe(text);
  expect(contentOf(file).length).toBe(content.length);
  expect(sameFiles([file], [fileOf(path, content.slice())])).toBe(true);
});

test.each([
  ["a.json", 4 * 1024 * 1024 + 1, "tooLong"],
  ["a.wasm", 4 * 1024 * 1024 + 1, "binary"],
  ["a.js", 1, "binary"],
])("%s of %i bytes is no text because it is %s", (path, length, why) => {
  expect(whyNoText({ path, text: undefined, bytes: new Uint8Array(length) })).toBe(why);
  expect(whyNoText({ path, text: undefined, stored: { hash: "", length } }), "what was not read").toBe(why);
});

test.each([
  [["b.xml", "workflow.xml"], "workflow.xml"],
  [["a.js", "b.XML"], "b.XML"],
  [["a.xml", "b.xml"], undefined],
  [["x/workflow.xml"], undefined],
])("of %s the document is %s", (files, document) => {
  expect(documentOf(named(...files))?.path).toBe(document);
});

test("a list changes by a new one", () => {
  const files = sorted(named("b.js", "workflow.xml", "a.js"));
  expect(paths(files)).toBe("workflow.xml a.js b.js");
  expect(paths(withFile(files, { path: "aa.js", text: "" }))).toBe("workflow.xml a.js aa.js b.js");
  expect(paths(without(files, "a.js"))).toBe("workflow.xml b.js");
  expect(paths(renamed(files, "a.js", "c.js"))).toBe("workflow.xml b.js c.js");
  expect(withText(files, "a.js", "x")[1]?.text).toBe("x");
  expect([isFree(files, "A.js"), isFree(files, " "), isFree(files, "c.js")]).toEqual([false, false, true]);
});

test("a source is looked up as the checker does", () => {
  const files = named("Add", "Add.js", "k.wgsl", "in.json");
  expect(["Add", "k", "in", "none"].map((src) => resolve(files, src)?.path)).toEqual(["Add", "k.wgsl", "in.json", undefined]);
});

test("an empty workflow has a document and its code", () => {
  expect(documentOf(EMPTY)?.text).toContain('src="Twice"');
  expect(resolve(EMPTY, "Twice")?.text).toContain("weevil_main");
});
