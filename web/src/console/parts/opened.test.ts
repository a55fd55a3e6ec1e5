/** Which panels an address opens, and what it says once somebody has opened or closed one. */

import { expect, test } from "vitest";
import { MOST_PANELS, panelsIn, panelsText } from "./opened.ts";

test.each<readonly [string, readonly string[]]>([
  ["", []],
  ["input", ["input"]],
  ["code,log-2,reducer-log-1", ["code", "log-2", "reducer-log-1"]],
  ["value-a-b%2Cc", ["value-a-b,c"]],
  ["unknown", ["unknown"]],
  ["%zz", []],
])("%j opens %o", (text, names) => {
  expect(panelsIn(text)).toEqual(names);
});

test.each<readonly [string, readonly (readonly [string, boolean])[], string]>([
  ["", [["code", true]], "code"],
  ["code", [["code", true]], "code"],
  ["code", [["code", false]], ""],
  ["code,log-2", [["code", false]], "log-2"],
  ["unknown", [["code", true]], "unknown,code"],
  ["", [["value-a,b", true]], "value-a%2Cb"],
  [
    "table-a",
    [
      ["table-a", true],
      ["table-b", true],
    ],
    "table-a,table-b",
  ],
  ["code", [], "code"],
])("%j after %o is %j", (before, changes, text) => {
  expect(panelsText(before, changes)).toBe(text);
});

test("an address names so many panels at most", () => {
  const names = Array.from({ length: MOST_PANELS + 1 }, (_, at) => `log-${at}`);
  expect(panelsIn(names.join(","))).toEqual(names.slice(0, MOST_PANELS));
  expect(panelsText(names.slice(0, MOST_PANELS).join(","), [["code", true]])).toBe(names.slice(0, MOST_PANELS).join(","));
});
