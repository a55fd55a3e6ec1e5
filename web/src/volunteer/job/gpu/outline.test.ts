/** What is read of WGSL texts, and how a kernel is made sliceable. */

import { expect, test } from "vitest";
import { outlineOf, withoutComments } from "./outline.ts";
import { Pace, SLICE_MS, sliced } from "./slices.ts";

const ADD = `// a + b /* not a block
@group(0) @binding(0) var<storage, read> a: array<u32>;
@binding(1) @group(0) var<storage, read_write> out : array<vec2<f32>>;
@group(0u) @binding( SEVEN ) var<uniform> n: u32;
const WIDTH: u32 = 64u; const SEVEN = 7;
fn helper(x: u32) -> u32 { return x; }
@compute @workgroup_size(WIDTH, 2)
fn Add(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) at: u32) {
  out[id.x] = vec2<f32>(f32(a[id.x] + at));
}
@workgroup_size(8) @compute fn whole(in: Input) {}
`;

test("entry points, workgroup sizes and bindings are read", () => {
  const { entries, bindings } = outlineOf(ADD);
  expect(bindings).toEqual([
    { number: 0, name: "a", access: "read", type: "array<u32>" },
    { number: 1, name: "out", access: "readWrite", type: "array<vec2<f32>>" },
    { number: 7, name: "n", access: "uniform", type: "u32" },
  ]);
  expect(entries.map(({ name, size }) => [name, size])).toEqual([
    ["Add", [64, 2, 1]],
    ["whole", [8, 1, 1]],
  ]);
  expect(entries[0]?.parameters).toEqual([
    { builtin: "global_invocation_id", type: "vec3<u32>" },
    { builtin: "local_invocation_index", type: "u32" },
  ]);
});

test.each([
  ["a // b\nc", "a     \nc"],
  ["a /* b /* c */ d */ e", "a                   e"],
  ["a /* // */ b", "a          b"],
])("%j loses its comments and keeps its places", (text, plain) => {
  expect(withoutComments(text)).toBe(plain);
});

test.each([
  ["@group(1) @binding(0) var<storage> a: array<u32>;", "not in group 0"],
  ["@compute @workgroup_size(n) fn f() {}", "the workgroup size of `f` is `n`; a number is expected"],
])("%j is refused in words", (text, said) => {
  expect(() => outlineOf(text)).toThrow(said);
});

test("a sliceable kernel keeps its lines and columns and gets an entry point that adds", () => {
  const outline = outlineOf(ADD);
  const [add, whole] = outline.entries;
  const made = sliced(ADD, outline, add as NonNullable<typeof add>);
  expect(made?.entry).toBe("weevil_slice_Add");
  expect(made?.text.slice(0, ADD.length).indexOf("out[id.x]")).toBe(ADD.indexOf("out[id.x]"));
  expect(made?.text).toContain("\n                                  \nfn Add(                               id: vec3<u32>,");
  expect(made?.text).toContain("{ Add(p0 + weevil_slice[0].xyz, p1); }");
  expect(sliced(ADD, outline, whole as NonNullable<typeof whole>)).toBeUndefined();
});

test("the next slice takes about as long as it should, however the first one was", () => {
  const pace = new Pace();
  expect(pace.rows(64)).toBe(1024);
  pace.took(1000, 100);
  expect(pace.rows(1)).toBe((1000 * SLICE_MS) / 2 / 100);
  pace.took(100, 0);
  expect(pace.rows(1)).toBe(800);
  expect(pace.rows(1e9)).toBe(1);
});
