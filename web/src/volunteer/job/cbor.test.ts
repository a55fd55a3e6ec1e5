/** The wire form of values, byte for byte as crates/model writes it. */

import { describe, expect, test } from "vitest";
import { MalformedError, decode } from "./cbor-decode.ts";
import { Encoder, NotAValueError, TooLargeError } from "./cbor-encode.ts";
import { TYPED_KINDS } from "./cbor-tags.ts";

const ALLOWED = 16 * 1024 * 1024;

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "hex"));
}

function encode(value: unknown, allowed = ALLOWED): Uint8Array {
  return new Encoder().encode(value, allowed);
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

const VECTORS: readonly (readonly [value: unknown, hex: string])[] = [
  [undefined, "f7"],
  [null, "f6"],
  [false, "f4"],
  [true, "f5"],
  [0, "00"],
  [-0, "fb8000000000000000"],
  [23, "17"],
  [24, "1818"],
  [255, "18ff"],
  [256, "190100"],
  [65535, "19ffff"],
  [65536, "1a00010000"],
  [4294967295, "1affffffff"],
  [4294967296, "1b0000000100000000"],
  [Number.MAX_SAFE_INTEGER, "1b001fffffffffffff"],
  [Number.MAX_SAFE_INTEGER + 1, "fb4340000000000000"],
  [-1, "20"],
  [-24, "37"],
  [-25, "3818"],
  [-257, "390100"],
  [-4294967297, "3b0000000100000000"],
  [Number.MIN_SAFE_INTEGER, "3b001ffffffffffffe"],
  [0.1, "fb3fb999999999999a"],
  [NaN, "fb7ff8000000000000"],
  [Infinity, "fb7ff0000000000000"],
  [-Infinity, "fbfff0000000000000"],
  [1e300, "fb7e37e43c8800759c"],
  ["", "60"],
  ["weevil", "6677656576696c"],
  ["ü", "62c3bc"],
  ["\u{1F41B}", "64f09f909b"],
  ["\0", "6100"],
  ["\uFEFFx", "64efbbbf78"],
  [[], "80"],
  [[1, [undefined, "x"]], "820182f76178"],
  [{}, "a0"],
  [{ b: null, a: [] }, "a26162f6616180"],
  [new Uint8Array([1, 2, 3]), "d84043010203"],
  [new Int16Array([-1, 2]), "d84d44ffff0200"],
  [new Float64Array([1.5]), "d85648000000000000f83f"],
  [new BigInt64Array([-2n]), "d84f48feffffffffffffff"],
];

describe("vectors", () => {
  test.each(VECTORS)("%o", (value, expected) => {
    expect(hex(encode(value))).toBe(expected);
    expect(decode(bytes(expected))).toStrictEqual(value);
    expect(Object.is(decode(bytes(expected)), value) || typeof value === "object").toBe(true);
  });
});

describe("text", () => {
  test("lone surrogates become U+FFFD", () => {
    expect(hex(encode("a\uD800"))).toBe("6461efbfbd");
  });

  test.each([20, 23, 24, 47, 48, 49, 255, 256, 21845, 65535, 65536])("of %i characters has the shortest head", (length) => {
    for (const text of ["a".repeat(length), "ü".repeat(length), "\u4e00".repeat(length)]) {
      const encoded = encode(text);
      const content = Buffer.byteLength(text);
      const head = content < 24 ? 1 : content < 256 ? 2 : content < 65536 ? 3 : 5;
      expect(encoded.length).toBe(head + content);
      expect(decode(encoded)).toBe(text);
    }
  });
});

describe("objects", () => {
  test("a property named __proto__ stays a property", () => {
    const value = decode(bytes("a1695f5f70726f746f5f5fa1616101")) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(hex(encode(value))).toBe("a1695f5f70726f746f5f5fa1616101");
  });

  test("holes, own properties and instances of plain classes", () => {
    class Point {
      x = 1;
    }
    expect(hex(encode(new Array(2)))).toBe("82f7f7");
    expect(hex(encode(new Point()))).toBe("a1617801");
    expect(hex(encode(Object.create(null)))).toBe("a0");
    expect(hex(encode(Object.create({ inherited: 1 })))).toBe("a0");
  });

  test("the same object twice is no cycle", () => {
    const shared = { a: 1 };
    expect(decode(encode([shared, shared]))).toEqual([shared, shared]);
  });
});

describe("typed arrays", () => {
  test("an ArrayBuffer goes as a Uint8Array, a view as its part only", () => {
    const { buffer } = new Uint8Array([1, 2, 3, 4]);
    expect(hex(encode(buffer))).toBe("d8404401020304");
    expect(hex(encode(new Uint8Array(buffer, 1, 2)))).toBe("d840420203");
    expect(hex(encode(new Uint16Array(buffer, 2, 1)))).toBe("d845420304");
  });

  test.each(TYPED_KINDS)("$name comes back aligned and on its own", (kind) => {
    const value = new kind.Type(new ArrayBuffer(kind.width * 3));
    const back = decode(encode([true, value])) as [boolean, typeof value];
    expect(back[1]).toStrictEqual(value);
    expect(back[1].byteOffset).toBe(0);
    expect(back[1].constructor.name).toBe(kind.name);
  });
});

describe("what is no value", () => {
  const cycle: { a: unknown[] } = { a: [] };
  cycle.a.push(cycle);
  test.each<readonly [unknown, string]>([
    [() => 1, "result is a function"],
    [{ a: [0, 1, 2, Symbol("s")] }, "result.a[3] is a symbol"],
    [[{ "odd name": 1n }], 'result[0]["odd name"] is a bigint'],
    [{ m: new Map() }, "result.m is of type Map"],
    [new Set(), "result is of type Set"],
    [[new Date()], "result[0] is of type Date"],
    [new Error("x"), "result is of type Error"],
    [/x/, "result is of type RegExp"],
    [new DataView(new ArrayBuffer(1)), "result is a DataView"],
    [cycle, "result.a[0] contains itself"],
    [nested(129), "result[0][0][0][0][0][0][0][0]… is nested deeper than 128 levels"],
  ])("%o", (value, message) => {
    expect(() => encode(value)).toThrow(NotAValueError);
    expect(() => encode(value)).toThrow(message);
  });

  test("128 levels are fine both ways, and two more in an input", () => {
    expect(decode(encode(nested(128)))).toEqual(nested(128));
    expect(decode(bytes(`${"81".repeat(130)}01`))).toBeInstanceOf(Array);
    expect(() => decode(bytes(`${"81".repeat(131)}01`))).toThrow("nested too deeply");
  });
});

describe("size", () => {
  test("is exact at the border", () => {
    expect(encode("x".repeat(98), 100).length).toBe(100);
    expect(() => encode("x".repeat(99), 100)).toThrow("at least 101 bytes; at most 100");
    expect(encode([1, 2, 3], 4).length).toBe(4);
    expect(() => encode([1, 2, 300], 4)).toThrow(TooLargeError);
    expect(() => encode("ü".repeat(80), 100)).toThrow(TooLargeError);
  });

  test("a huge result stops before it is written", () => {
    const large = "the result has at least 5242880";
    expect(() => encode(new Uint8Array(50 * 1024 * 1024))).toThrow(`${large}7 bytes; at most ${ALLOWED} are allowed`);
    expect(() => encode("x".repeat(50 * 1024 * 1024))).toThrow(`${large}0 bytes`);
    expect(() => encode(new Array(1e9))).toThrow(TooLargeError);
  });

  test("an encoder goes on after a refusal", () => {
    const encoder = new Encoder();
    expect(() => encoder.encode([[[() => 1]]], ALLOWED)).toThrow(NotAValueError);
    expect(encoder.encode(new Uint8Array(3_000_000), ALLOWED).length).toBe(3_000_007);
    expect(hex(encoder.encode([7], ALLOWED))).toBe("8107");
  });

  test("a large typed array is handed over once, and stays as it was", () => {
    const encoder = new Encoder();
    const values = new Float64Array(300_000).map((_, index) => index);
    const first = encoder.encode(values, ALLOWED);
    const copy = first.slice();
    encoder.encode(values.fill(7), ALLOWED);
    encoder.encode("x".repeat(2_000_000), ALLOWED);
    expect(Buffer.compare(first, copy)).toBe(0);
    expect(first.byteLength).toBe(first.buffer.byteLength);
  });
});

describe("bytes that are no value", () => {
  test.each([
    ["", "ends too early"],
    ["18", "ends too early"],
    ["f6f6", "left over"],
    ["9fff", "without a length"],
    ["4100", "without a typed array's tag"],
    ["d82a40", "no typed array"],
    ["d8564100", "a part of an element"],
    ["d85600", "without bytes"],
    ["9bffffffffffffffff", "ends too early"],
    ["1bffffffffffffffff", "beyond 2^53"],
    ["a10101", "without a text name"],
    ["61ff", "not UTF-8"],
    ["f8ff", "simple value"],
  ])("%s", (text, message) => {
    expect(() => decode(bytes(text))).toThrow(MalformedError);
    expect(() => decode(bytes(text))).toThrow(message);
  });

  test.each([
    ["f90000", 0],
    ["f93c00", 1],
    ["f9c400", -4],
    ["f90001", 5.960464477539063e-8],
    ["f97c00", Infinity],
    ["fa3fc00000", 1.5],
    ["190001", 1],
  ])("shorter or longer numbers are read: %s", (text, number) => {
    expect(decode(bytes(text))).toBe(number);
  });
});
