/** All memories of a realm together. */

import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { MAX_PAGES } from "../wasm-memory.ts";
import { Memories } from "./memories.ts";

type Wasm = typeof WebAssembly;

/** A module whose memory, `m`, begins with `flags`, one page and, where that is said, a largest size of 16,384. */
const module = (flags: number): number[] => {
  const limits = (flags & 1) === 0 ? [flags, 1] : [flags, 1, 128, 128, 1];
  return [0, 97, 115, 109, 1, 0, 0, 0, 5, limits.length + 1, 1, ...limits, 7, 5, 1, 1, 109, 2, 0];
};

function bench(): { wasm: Wasm; memories: Memories } {
  const realm = runInNewContext("globalThis") as typeof globalThis;
  const memories = new Memories();
  memories.guard(realm);
  return { wasm: realm.WebAssembly, memories };
}

/** How far a memory grows, in pages. */
function grown(memory: WebAssembly.Memory): number {
  for (let step = MAX_PAGES; step >= 1; step /= 2) {
    try {
      for (;;) memory.grow(step);
    } catch {
      continue;
    }
  }
  return memory.buffer.byteLength / 65_536;
}

test("what is named within what is left is given, what is not a quarter of it", () => {
  const { wasm, memories } = bench();
  expect(grown(new wasm.Memory({ initial: 1, maximum: 100 }))).toBe(100);
  expect(grown(new wasm.Memory({ initial: 1 }))).toBe(4071);
  expect(memories.enough).toBe(true);
  expect(grown(new wasm.Memory({ initial: 5000, maximum: 65_536 }))).toBe(5000);
  expect(grown(new wasm.Memory({ initial: 1, maximum: 5000 }))).toBe(5000);
  expect(memories.enough).toBe(false);
  expect(() => new wasm.Memory({ initial: 5000 })).toThrow(RangeError);
});

test.each([0, 1])("sixteen modules have 1 GiB together, with flags %i", async (flags) => {
  const { wasm } = bench();
  const bytes = new Uint8Array(module(flags));
  let pages = 0;
  let refused = 0;
  for (let index = 0; index < 16; index++) {
    try {
      const { instance } = index % 2 === 0 ? await wasm.instantiate(bytes) : { instance: new wasm.Instance(new wasm.Module(bytes)) };
      pages += grown(instance.exports["m"] as WebAssembly.Memory);
    } catch {
      refused += 1;
    }
  }
  expect(pages).toBeLessThanOrEqual(MAX_PAGES);
  expect(pages).toBeGreaterThan(MAX_PAGES / 2);
  expect(refused).toBe(flags === 1 ? 15 : 0);
});

test("instances of one module have a memory each, and each counts", () => {
  const { wasm } = bench();
  const made = new wasm.Module(new Uint8Array(module(1)));
  expect(new wasm.Instance(made).exports["m"]).toBeDefined();
  expect(() => new wasm.Instance(made)).toThrow(RangeError);
});

test("nothing is shared, whoever asks", async () => {
  const { wasm } = bench();
  expect(() => new wasm.Memory({ initial: 1, maximum: 1, shared: true })).toThrow(TypeError);
  expect(() => new wasm.Module(new Uint8Array(module(3)))).toThrow(RangeError);
  await expect(wasm.compile(new Uint8Array(module(3)))).rejects.toThrow(RangeError);
});

test("what was there before works as ever", async () => {
  const { wasm } = bench();
  const bytes = new Uint8Array(module(0));
  expect(wasm.validate(bytes)).toBe(true);
  const compiled = await wasm.compile(bytes.buffer);
  expect(compiled instanceof wasm.Module && compiled.constructor === wasm.Module).toBe(true);
  expect(wasm.Module.exports(compiled)).toEqual([{ name: "m", kind: "memory" }]);
  expect((await wasm.instantiate(compiled)) instanceof wasm.Instance).toBe(true);
  await expect(wasm.compile(new Uint8Array([1, 2, 3]))).rejects.toThrow();
});
