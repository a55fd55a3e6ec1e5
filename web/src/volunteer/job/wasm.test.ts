/** Modules as job code: numbers, values as bytes, what is refused, and that no job sees another's memory. */

import { expect, test } from "vitest";
import type { SlotReport, SlotResult } from "../../api/types.gen.ts";
import { decode } from "./cbor-decode.ts";
import { Encoder } from "./cbor-encode.ts";
import { FlopCounter } from "./flops.ts";
import { MAX_LINE_CHARS } from "./log.ts";
import { Loop } from "./loop.ts";
import { ProgressMeter } from "./progress.ts";
import { seeded } from "./random.ts";
import { MAX_PAGES } from "./wasm-memory.ts";
import { F32, F64, type Fields, type Func, I32, I64, i32, i64, moduleOf } from "./wasm-bytes.ts";

const UNREACHABLE = 0x00;
const get = (local: number): number[] => [0x20, local];

/** What some jobs of one module come to, in their order. */
function run(bytes: Uint8Array<ArrayBuffer>, jobs: unknown[][], maxValueBytes = 1000): SlotResult[] {
  const results: SlotResult[] = [];
  const post = (report: SlotReport): void => {
    if (report.kind === "results") results.push(...report.results);
    else if (report.kind === "progress") told.push(report.done);
    else if (report.kind === "log") said.push(`${report.seq}: ${report.text}`);
    else if (report.kind === "leftOut") said.push(`${report.seq}+${report.lines}`);
  };
  const progress = new ProgressMeter(
    () => 0,
    (seq, done) => {
      post({ kind: "progress", seq, done });
    },
  );
  const loop = new Loop({ post, now: () => 0, sleep: () => Promise.resolve() }, seeded(), new FlopCounter(), progress);
  loop.command({ kind: "code", code: 0, source: "Sum.wasm", codeKind: "wasm", text: "", module: bytes });
  const encoder = new Encoder();
  const list = jobs.map((args, seq) => ({ seq, code: 0, input: encoder.encode(args, 1e6), seed: [1, 1] as [number, number] }));
  loop.command({ kind: "jobs", jobs: list, maxValueBytes });
  return results;
}

let told: number[] = [];
let said: string[] = [];

/** Values, or errors as `kind: message`. */
function outcomes(fields: Fields, jobs: unknown[][], maxValueBytes?: number): unknown[] {
  return run(moduleOf(fields), jobs, maxValueBytes).map(({ value, error }) =>
    value === undefined ? `${error?.kind}: ${error?.message}` : decode(value),
  );
}

function main(parameters: number[], results: number[], body: number[]): Func {
  return { name: "weevil_main", parameters, results, body };
}

/** Answers its input from address 16 on; `alloc` and `weevil_main` are the test's. */
function echo(alloc: number[], body: number[]): Fields {
  const functions = [{ name: "alloc", parameters: [I32], results: [I32], body: alloc }, main([I32, I32], [I64], body)];
  return { functions, memory: 1 };
}

/** `(at << 32) | length` of the parameters. */
const PACKED = [...get(0), 0xad, ...i64(32n), 0x86, ...get(1), 0xad, 0x84];

test("numbers go in as the module's types and come back as Numbers", () => {
  const cases: [number, unknown[], unknown][] = [
    [F64, [0.1, -0, NaN, Infinity], [0.1, -0, NaN, Infinity]],
    [F32, [0.5, 0.1], [0.5, Math.fround(0.1)]],
    [I32, [-1, 2 ** 31, 7], [-1, -(2 ** 31), 7]],
    [I64, [-1, 2 ** 53 - 1], [-1, 2 ** 53 - 1]],
  ];
  for (const [type, inputs, expected] of cases) {
    const same = { functions: [main([type], [type], get(0))] };
    expect(
      outcomes(
        same,
        inputs.map((input) => [input]),
      ),
    ).toEqual(expected);
  }
  expect(outcomes({ functions: [main([F64, F64], [F64], [...get(0), ...get(1), 0xa1])] }, [[5, 3]])).toEqual([2]);
  expect(outcomes({ functions: [main([], [], [])] }, [[]])).toEqual([undefined]);
});

test("a number that the type cannot hold is refused, never bent", () => {
  const of = (type: number, input: unknown): unknown => outcomes({ functions: [main([type], [], [])] }, [[input]])[0];
  expect(of(I32, 0.5)).toBe("thrown: RangeError: argument 1 is 0.5; the module takes a whole number of 32 bits");
  expect(of(I32, 2 ** 32)).toContain("a whole number of 32 bits");
  expect(of(I64, 2 ** 53)).toContain("a whole number up to 2^53 - 1");
  expect(of(F64, "1")).toContain("argument 1 is 1; the module takes a Number");
  expect(of(F64, undefined)).toContain("argument 1 is undefined");
  const large = { functions: [main([], [I64], i64(2n ** 60n))] };
  expect(outcomes(large, [[]])).toEqual([
    "thrown: RangeError: weevil_main returned 1152921504606846976, which a Number cannot hold exactly",
  ]);
});

test("any value goes through as bytes", () => {
  const values = [[], [{ a: [1, "ü", undefined] }, new Float64Array([0.5])], ["x".repeat(500)]];
  expect(outcomes(echo(i32(16), PACKED), values)).toEqual(values);
  expect(outcomes(echo(i32(16), i64(0n)), [[1]]), "nothing is undefined").toEqual([undefined]);
});

test("each job has a memory of its own", () => {
  // Adds 1 to the byte at 9, and answers it as CBOR.
  const count = [...i32(9), ...i32(9), 0x2d, 0, 0, ...i32(1), 0x6a, 0x3a, 0, 0, ...i64((9n << 32n) | 1n)];
  expect(outcomes(echo(i32(16), count), [[], [], []])).toEqual([1, 1, 1]);
});

test("pointers out of the memory are refused", () => {
  const wrong = (alloc: number[], body: number[]): unknown => outcomes(echo(alloc, body), [[1]])[0];
  expect(wrong(i32(0), PACKED)).toBe("thrown: RangeError: alloc(2) answered 0: the module has no memory for its input");
  expect(wrong(i32(65535), PACKED)).toBe("thrown: RangeError: alloc: 2 bytes at 65535 are not within the 65536 bytes of the memory");
  expect(wrong(i32(-8), PACKED)).toContain("at 4294967288");
  expect(wrong(i32(16), i64((65536n << 32n) | 1n))).toContain("weevil_main: 1 bytes at 65536");
  expect(wrong(i32(16), i64(-1n))).toContain("weevil_main: 4294967295 bytes at 4294967295");
});

test("a result beyond the bound is refused before it is copied", () => {
  const fields = echo(i32(16), i64((16n << 32n) | 60000n));
  expect(outcomes(fields, [[1]])).toEqual(["tooLarge: the result has at least 60000 bytes; at most 1000 are allowed"]);
});

test("a trap is a thrown error whose stack names functions and the file", () => {
  const [result] = run(moduleOf({ functions: [main([], [], [UNREACHABLE])] }), [[]]);
  expect(result?.error?.kind).toBe("thrown");
  expect(result?.error?.message).toBe("RuntimeError: unreachable");
  expect(result?.error?.stack).toContain("weevil_main_in_c (Sum.wasm:wasm-function[0]");
  expect(result?.error?.stack).not.toContain("wasm://");
});

test("without memory left a module traps, and the next job has its own again", () => {
  // Grows by as many pages as it is told, and traps where that fails.
  const grow = [...get(0), 0x40, 0, ...i32(-1), 0x46, 0x04, 0x40, UNREACHABLE, 0x0b];
  const fields = { functions: [main([I32], [], grow)], memory: 1 };
  expect(outcomes(fields, [[70000], [1]])).toEqual(["thrown: RuntimeError: unreachable", undefined]);
});

test("a memory grows to its cap, whatever the module declares", () => {
  const grown = { functions: [main([I32], [I32], [...get(0), 0x40, 0])], memory: 1 };
  const room = MAX_PAGES - 1;
  for (const [maxMemory, most] of [
    [undefined, room],
    [65_536, room],
    [MAX_PAGES + 1, room],
    [MAX_PAGES, room],
    [3, 2],
  ] as const) {
    const fields = maxMemory === undefined ? grown : { ...grown, maxMemory };
    expect(outcomes(fields, [[most], [most + 1]]), `${maxMemory}`).toEqual([1, -1]);
  }
  expect(outcomes({ ...grown, memory: MAX_PAGES }, [[0]])).toEqual([MAX_PAGES]);
  expect(outcomes({ ...grown, memory: MAX_PAGES + 1 }, [[0]])[0]).toMatch(/^syntax: Sum\.wasm: its memory begins with/);
});

test("a stack names places of the file as it was written", () => {
  const free = { functions: [main([], [], [UNREACHABLE])], memory: 1 };
  const stack = run(moduleOf(free), [[]])[0]?.error?.stack ?? "";
  const place = Number(/0x[0-9a-f]+/.exec(stack)?.[0]);
  expect(moduleOf(free)[place]).toBe(UNREACHABLE);
});

test("what is no module, or has no weevil_main, says so once per job", () => {
  const [broken] = run(new Uint8Array([0, 0x61, 0x73, 0x6d, 9]), [[]]);
  expect(broken?.error?.kind).toBe("syntax");
  expect(broken?.error?.message).toMatch(/^Sum\.wasm: CompileError/);
  const other = { functions: [{ name: "main", parameters: [], results: [], body: [] }] };
  expect(outcomes(other, [[]])).toEqual(["noMain: Sum.wasm exports no function `weevil_main`"]);
});

test("progress, flops and log reach the worker, and a wrong log is an error", () => {
  const imports = [
    { name: "progress", parameters: [F64] },
    { name: "flops", parameters: [F64] },
    { name: "log", parameters: [I32, I32] },
  ];
  const half = [0x44, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f];
  const call = (at: number, ...args: number[][]): number[] => [...args.flat(), 0x10, at];
  const log = (at: number): number[] => call(2, i32(at), i32(4));
  told = [];
  said = [];
  const store = [...i32(8), ...i32(0x6f6c6c68), 0x36, 2, 0];
  const fields = { imports, memory: 1, functions: [main([], [], [...call(0, half), ...call(1, half), ...store, ...log(8)])] };
  const [result] = run(moduleOf(fields), [[]]);
  expect([result?.error, result?.flops, told, said]).toEqual([undefined, 0.5, [0.5], ["0: hllo"]]);
  expect(outcomes({ ...fields, functions: [main([], [], log(65534))] }, [[]])).toEqual([
    "thrown: RangeError: weevil.log: 4 bytes at 65534 are not within the 65536 bytes of the memory",
  ]);
});

test("each job of a module logs for itself, within its bounds", () => {
  const imports = [{ name: "log", parameters: [I32, I32] }];
  // The bytes of memory are zeros, and as long as the job says; twice as often as that many lines may go out.
  const often = [...i32(200), 0x21, 1, 0x03, 0x40, ...i32(0), ...get(0), 0x10, 0, ...get(1), ...i32(1), 0x6b, 0x22, 1, 0x0d, 0, 0x0b];
  const fields = { imports, memory: 1, functions: [main([I32, I32], [], often)] };
  said = [];
  expect(
    outcomes(fields, [
      [3, 0],
      [5000, 0],
    ]),
  ).toEqual([undefined, undefined]);
  const zeros = "\0".repeat(MAX_LINE_CHARS - 1);
  expect([said[0], said[99], said[100], said[107], said[108]]).toEqual(["0: \0\0\0", "0: \0\0\0", "0+1", "0+100", `1: ${zeros}…`]);
});
