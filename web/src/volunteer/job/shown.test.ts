/** Values as a line of text: what people read, and what hostile values cannot do. */

import { expect, test } from "vitest";
import { cut, lineOf } from "./shown.ts";

const MOST = 1000;
const shown = (...values: unknown[]): string => lineOf("", values, MOST);

class Point {
  readonly x = 1;
  get y(): number {
    throw new Error("a getter was called");
  }
}

const cyclic: Record<string, unknown> = { a: 1 };
cyclic["self"] = [cyclic];

const refusing = (trap: string): object => {
  const fail = (): never => {
    throw new Error(trap);
  };
  return new Proxy({ secret: 1 }, { [trap]: fail } as ProxyHandler<object>);
};

const revoked = Proxy.revocable({}, {});
revoked.revoke();

const NONE = "something that cannot be shown as text";

const TABLE: readonly (readonly [unknown[], string])[] = [
  [[], ""],
  [["a", 1, "b\nc"], "a 1 b\nc"],
  [[undefined, null, true, -0, NaN, 1e21, 12n], "undefined null true -0 NaN 1e+21 12n"],
  [[Symbol("s"), Symbol.iterator], "Symbol(s) Symbol(Symbol.iterator)"],
  [[[1, 'a"b', [2n, []]]], '[1, "a\\"b", [2n, []]]'],
  [[{ a: { b: [{ deep: 1 }] }, "c d": undefined }], "{a: {b: [{…}]}, c d: undefined}"],
  [[[[[[1]]]]], "[[[[…]]]]"],
  [[[1, , 3]], "[1, undefined, 3]"],
  [[cyclic], "{a: 1, self: [[cycle]]}"],
  [
    [new Float64Array([0.5, -0]), new BigInt64Array([3n]), new DataView(new ArrayBuffer(8))],
    "Float64Array(2) [0.5, -0] BigInt64Array(1) [3n] [DataView]",
  ],
  [[new TypeError("t"), { cause: new Error("e") }], "TypeError: t {cause: e}"],
  [[new Map([[1, 2]]), new Set(), Promise.resolve(), /x/], "[Map] [Set] [Promise] [RegExp]"],
  [[new Date(0), new Date(NaN)], `1970-01-01T00:00:00.000Z ${NONE}`],
  [
    [
      new Point(),
      {
        get a() {
          throw new Error("called");
        },
      },
    ],
    "{x: 1} {a: [getter]}",
  ],
  [[function named() {}, () => 1, Point], "[function named] [function] [function Point]"],
  [[Object.assign(Object.create(null) as object, { a: 1 })], "{a: 1}"],
  [
    [
      {
        toString: () => {
          throw new Error("called");
        },
        toJSON: () => {
          throw new Error("called");
        },
      },
    ],
    "{toString: [function toString], toJSON: [function toJSON]}",
  ],
  [
    [
      {
        [Symbol.toPrimitive]: () => {
          throw new Error("called");
        },
      },
    ],
    "{}",
  ],
  [["before", refusing("getPrototypeOf"), "after"], `before ${NONE} after`],
  [[[refusing("ownKeys")]], `[${NONE}]`],
  [[refusing("getOwnPropertyDescriptor")], NONE],
  [[refusing("get")], "{secret: 1}"],
  [[revoked.proxy], NONE],
  [[new Proxy([1, 2], {}), new Proxy(() => 1, {})], "[1, 2] [function]"],
  [
    [
      {
        get [Symbol.toStringTag]() {
          throw new Error("tag");
        },
        __proto__: new Point(),
      },
    ],
    NONE,
  ],
];

test("each value has a form for people", () => {
  TABLE.forEach(([values, expected], row) => {
    expect(shown(...values), `row ${row}`).toBe(expected);
  });
});

test("a line is as long as it may be, whatever is behind it", () => {
  const endless: object = new Proxy([], {
    get: (_, name) => (name === "length" ? Infinity : 0),
    getOwnPropertyDescriptor: () => undefined,
  });
  const wide = Object.fromEntries(Array.from({ length: 1e5 }, (_, index) => [`key${index}`, index]));
  for (const value of ["x".repeat(1e8), ["x".repeat(1e8)], new Uint8Array(1e8), new Array(2 ** 31), endless, wide, Array(1e5).fill("")]) {
    const line = shown(value, value);
    expect(line.length).toBe(MOST);
    expect(line.endsWith("…")).toBe(true);
  }
});

test("a line is cut between two characters", () => {
  expect(cut("abcd", 4)).toBe("abcd");
  expect(cut("abcde", 4)).toBe("abc…");
  expect(cut("ab\u{1F41B}de", 4)).toBe("ab…");
  expect(cut("a\u{1F41B}bcd", 4)).toBe("a\u{1F41B}…");
});

test("replaced built-ins change nothing", () => {
  const value = { a: [1, "b", new Error("e")], c: new Uint8Array(2), d: 5n, e: new Date(0) };
  const before = shown(value);
  const spoilt: readonly (readonly [object, PropertyKey])[] = [
    [String.prototype, "slice"],
    [String.prototype, "charCodeAt"],
    [JSON, "stringify"],
    [Array.prototype, "join"],
    [Array.prototype, "map"],
    [Array.prototype, Symbol.iterator],
    [Object, "keys"],
    [Object, "getOwnPropertyDescriptor"],
    [Object, "getPrototypeOf"],
    [Object.prototype, "hasOwnProperty"],
    [Object.prototype, "toString"],
    [BigInt.prototype, "toString"],
    [Number.prototype, "toString"],
    [Date.prototype, "toISOString"],
    [globalThis, "String"],
  ];
  const kept = spoilt.map(([holder, name]) => Object.getOwnPropertyDescriptor(holder, name) as PropertyDescriptor);
  const define = Object.defineProperty;
  let after = "";
  for (let index = 0; index < spoilt.length; index++) {
    const [holder, name] = [spoilt[index]?.[0] as object, spoilt[index]?.[1] as PropertyKey];
    define(holder, name, {
      value: () => {
        throw new Error("replaced");
      },
      configurable: true,
    });
    try {
      after = shown(value);
    } finally {
      define(holder, name, kept[index] as PropertyDescriptor);
    }
    expect(after, String(name)).toBe(before);
  }
});
