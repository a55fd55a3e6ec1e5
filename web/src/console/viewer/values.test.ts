/** The viewer's pure parts: which values are tables, what they are saved as, how they are looked at. */

import { expect, test } from "vitest";
import { readExpected, verdictOn } from "../../api/expected.ts";
import { VIEWER, verdictText } from "../words/viewer.ts";
import { summarise, summaryText } from "./columns.ts";
import { csvPieces } from "./csv.ts";
import { cellAt, layoutOf } from "./layout.ts";
import { npyParts } from "./npy.ts";
import { orderOf } from "./order.ts";
import { shapeOf } from "./shape.ts";
import { statisticsOf } from "./statistics.ts";
import { ABSENT, cellText, kindOf, literal, numberText } from "./text.ts";
import { entriesOf, search, sizeOf, summaryOf } from "./tree.ts";

function csv(value: unknown): string | undefined {
  const layout = layoutOf(value);
  return layout && [...csvPieces(value, layout)].join("");
}

/** The same rows as in `crates/model/src/csv_test.rs`. */
test.each<readonly [unknown, readonly string[]]>([
  [157, ["value", "157"]],
  [-0, ["value", "-0"]],
  [undefined, ["value", "undefined"]],
  ['a "b"\r\nc,', ["value", '"a ""b""\r\nc,"']],
  [[], ["value"]],
  [
    [1, NaN, "NaN", null, true, "=1+1", "+1", "-1", "@a", "a=b"],
    ["value", "1", "NaN", '"NaN"', "null", "true", `"'=1+1"`, `"'+1"`, `"'-1"`, `"'@a"`, '"a=b"'],
  ],
  [Int16Array.of(-1, 2), ["value", "-1", "2"]],
  [BigUint64Array.of(18446744073709551615n), ["value", "18446744073709551615"]],
  [BigInt64Array.of(-9223372036854775808n), ["value", "-9223372036854775808"]],
  [Float32Array.of(0.5, -0), ["value", "0.5", "-0"]],
  [
    [
      [1, 2.5],
      ["a", null],
    ],
    ["0,1", "1,2.5", '"a",null'],
  ],
  [
    [Uint8Array.of(1, 2), [3, 4]],
    ["0,1", "1,2", "3,4"],
  ],
  [
    [[], []],
    ["", "", ""],
  ],
  [
    [
      { x: 1, "=y": "a" },
      { z: undefined, x: 2 },
    ],
    [`"x","'=y","z"`, '1,"a",', "2,,undefined"],
  ],
  [
    [1e-7, 1e21, 0.1 + 0.2],
    ["value", "1e-7", "1e+21", "0.30000000000000004"],
  ],
])("%o as a table", (value, lines) => {
  expect(csv(value)).toBe(lines.map((line) => `${line}\r\n`).join(""));
});

test.each<readonly [string, unknown]>([
  ["an object", { a: 1 }],
  ["an array in a list", [1, [2]]],
  ["an array in a row", [[1], [[2]]]],
  ["an object in a record", [{ a: {} }]],
  ["uneven rows", [[1, 2], [3]]],
  ["a row and a number", [[1], 2]],
  ["a record and a number", [{ a: 1 }, 2]],
  ["nothing in common", [{ a: 1, b: 2, c: 3 }, ...Array.from({ length: 9 }, () => ({}))]],
  ["no names", [{}]],
  ["too many columns", [Array.from({ length: 16_385 }, () => 1)]],
])("%s is no table", (_, value) => {
  expect(csv(value)).toBe(undefined);
});

test.each<readonly [unknown, string, string]>([
  [42, "number", "headline"],
  ["a", "text", "headline"],
  [undefined, "undefined", "headline"],
  [null, "null", "headline"],
  [false, "boolean", "headline"],
  [[1, 2, NaN], "Array", "line histogram table"],
  [[7], "Array", "table line histogram"],
  [[NaN, Infinity], "Array", "table"],
  [Float32Array.of(1, 2), "Float32Array", "line histogram table"],
  [BigInt64Array.of(1n, 2n), "BigInt64Array", "line histogram table"],
  [new Float64Array(0), "Float64Array", "table"],
  [[], "Array", "table tree"],
  [["a", 1], "Array", "table tree"],
  [[[1, 2]], "Array", "scatter table tree"],
  [[[1, 2, 3]], "Array", "image table tree"],
  [[[1, "a", 3]], "Array", "table scatter tree"],
  [[Float32Array.of(1, 2, 3)], "Array", "image table tree"],
  [{ data: [1, 2], width: 2, height: 1 }, "object", "image tree"],
  [{ data: new Uint8ClampedArray(8), width: 2, height: 1 }, "object", "image tree"],
  [{ data: new Uint8Array(8), width: 2, height: 1 }, "object", "tree"],
  [{ data: [1, "a"], width: 2, height: 1 }, "object", "tree"],
  [{ data: [], width: 0, height: 0 }, "object", "tree"],
  [[{ a: 1, b: 2 }], "Array", "table scatter tree"],
  [[{ a: 1, b: "x" }], "Array", "table tree"],
  [{ a: 1 }, "object", "tree"],
])("%o is looked at as it is", (value, kind, faces) => {
  const shape = shapeOf(value);
  expect([shape.kind, shape.faces.join(" ")]).toEqual([kind, faces]);
});

test("a list of numbers travels as a typed array, and is told as what it is", () => {
  const { value, kind, numbers } = shapeOf([3, -0, NaN, Infinity]);
  expect(value).toEqual(Float64Array.of(3, -0, NaN, Infinity));
  expect(kind).toBe("Array");
  expect(numbers?.statistics).toMatchObject({ count: 4, nans: 1, infinite: 1, max: 3 });
});

test("no two values look alike", () => {
  const values = [0, -0, NaN, "NaN", undefined, "undefined", null, "null", 1, "1", 1n, "", " a", "a", true, "true", Infinity, "-Infinity"];
  const cells = values.filter((value) => value !== 1n).map(cellText);
  expect(new Set(cells).size).toBe(cells.length);
  expect(values.map(literal)).toEqual(values.map((value) => (typeof value === "string" ? JSON.stringify(value) : cellText(value))));
  expect([numberText(-0), numberText(1e21), cellText(ABSENT), cellText("a=1")]).toEqual(["-0", "1e+21", "", "a=1"]);
  expect([kindOf([]), kindOf({}), kindOf(new Uint8ClampedArray()), kindOf(undefined)]).toEqual([
    "Array",
    "object",
    "Uint8ClampedArray",
    "undefined",
  ]);
});

test("a head for NumPy says type and shape, and ends where numbers may begin", () => {
  const [head, data] = npyParts(Int16Array.of(1, -2), [2]);
  expect(head.length % 64).toBe(0);
  expect([...head.subarray(0, 10)]).toEqual([0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, head.length - 10, 0]);
  const words = new TextDecoder().decode(head.subarray(10));
  expect(words.trimEnd()).toBe("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }");
  expect(words.endsWith("\n")).toBe(true);
  expect([...data]).toEqual([1, 0, 0xfe, 0xff]);
  const types = [
    new Uint8Array(),
    new Uint8ClampedArray(),
    new Uint16Array(),
    new Uint32Array(),
    new BigUint64Array(),
    new Int8Array(),
    new Int32Array(),
    new BigInt64Array(),
    new Float32Array(),
    new Float64Array(),
  ].map((array) => /'descr': '(?<type>[^']*)'/u.exec(new TextDecoder("latin1").decode(npyParts(array, [3, 0, 4])[0]))?.groups?.["type"]);
  expect(types).toEqual(["|u1", "|u1", "<u2", "<u4", "<u8", "|i1", "<i4", "<i8", "<f4", "<f8"]);
});

test("a table is ordered by a column, and what is nothing stays behind", () => {
  const values = [3, "b", NaN, -0, 0, "a", ABSENT, null, 3, -1];
  const order = (direction: "ascending" | "descending"): unknown[] => [...orderOf(values.length, (row) => values[row], direction)];
  expect(order("ascending")).toEqual([9, 3, 4, 0, 8, 5, 1, 7, 2, 6]);
  expect(order("descending")).toEqual([7, 1, 5, 0, 8, 4, 3, 9, 2, 6]);
});

test("columns are summed up in words", () => {
  const infinite = [Infinity, NaN];
  expect(summarise(infinite, { kind: "column", columns: ["value"], rows: 2 }).map(summaryText)).toEqual(["2 not finite"]);
  const rows = [{ a: 1, b: "x", c: null }, { a: 3, b: 2, c: true }, { a: NaN, b: "y", c: undefined }, { a: 2 }];
  const layout = layoutOf(rows);
  expect(layout && summarise(rows, layout).map(summaryText)).toEqual([
    "1 to 3, mean 2",
    "2 to 2, mean 2, 2 texts, 1 absent",
    "3 other, 1 absent",
  ]);
  expect(layout && cellAt(rows, layout, 3, 1)).toBe(ABSENT);
  expect(layout && cellAt([{ a: 1, toString: 2 }, {}], { ...layout, columns: ["toString"] }, 1, 0)).toBe(ABSENT);
});

test("every figure of many numbers has a name", () => {
  const numbers = Float64Array.of(1, 2);
  expect(new Set(VIEWER.statisticNames.map(([key]) => key))).toEqual(new Set(Object.keys(statisticsOf(numbers, numbers))));
});

test("a tree is opened level by level and searched without being opened", () => {
  const value = { a: [1, { needle: null }], b: "Needle", c: Int8Array.of(1, 2) };
  expect(entriesOf(value, 0, 9).map(({ name, value: inside }) => `${name}: ${summaryOf(inside)}`)).toEqual([
    "a: Array(2)",
    'b: "Needle"',
    "c: Int8Array(2)",
  ]);
  expect(entriesOf(value.c, 1, 9)).toEqual([{ name: "1", value: 2 }]);
  expect([sizeOf(value), sizeOf(value.a), sizeOf("abc"), sizeOf(null)]).toEqual([3, 2, 0, 0]);
  expect([summaryOf({}), summaryOf({ a: 1 }), summaryOf(Float64Array.of(1), "Array"), summaryOf(-0)]).toEqual([
    "object with 0 properties",
    "object with 1 property",
    "Array(1)",
    "-0",
  ]);
  const found = (text: string): string[] => [...search(value, text)].flatMap((path) => path?.join(".") ?? []);
  expect(found("NEEDLE")).toEqual(["b", "a.1.needle"]);
  expect(found("null")).toEqual(["a.1.needle"]);
  expect(found("nothing")).toEqual([]);
});

test.each<readonly [string, unknown, string]>([
  ['{"result": 5.26172839, "tolerance": 0.0001}', 5.2618, "Within 0.0001 of the expected 5.26172839."],
  ['{"result": 5.26172839, "tolerance": 0.0001}', 5.3, "More than 0.0001 away from the expected 5.26172839."],
  ['{"result": 157}', 157, "As expected."],
  ['{"result": 157}', 158, "The workflow expects 157."],
  ['{"result": "a"}', "b", 'The workflow expects "a".'],
  ['{"result": 157, "tolerance": "much"}', 157, "As expected."],
  ['{"result": [1]}', 157, ""],
  ['{"result": 157}', "157", ""],
  ['{"answer": 157}', 157, ""],
  ["157", 157, ""],
  ["null", null, ""],
  ["{", 157, ""],
])("%s and %o", (text, value, words) => {
  const expected = readExpected(text);
  expect(expected === undefined ? "" : verdictText(verdictOn(value, expected), expected)).toBe(words);
});

test.each<readonly [string, string]>([
  [VIEWER.undecodable(""), "This value cannot be shown here: the browser could not decode it. The files have all of it."],
  [VIEWER.undecodable("it ends too early"), "This value cannot be shown here: it ends too early. The files have all of it."],
  [VIEWER.found(0, true), "Nothing found"],
  [VIEWER.found(1, true), "1 place"],
  [VIEWER.found(100, false), "The first 100 places"],
])("%s", (words, expected) => {
  expect(words).toBe(expected);
});
