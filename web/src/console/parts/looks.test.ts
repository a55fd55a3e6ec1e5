/** How values are looked at, as the address says it. */

import { expect, test } from "vitest";
import { MOST_LOOKS, lookIn, looksText } from "./looks.ts";

test.each<readonly [string, string, readonly string[]]>([
  ["", "result", []],
  ["result:histogram", "result", ["histogram"]],
  ["result:histogram,input:image.log", "input", ["image", "log"]],
  ["value-a%2Cb-c%3A1:table.-2", "value-a,b-c:1", ["table", "-2"]],
  ["result:histogram", "input", []],
  ["result", "result", []],
  ["result:", "result", []],
  ["result:HISTOGRAM", "result", []],
  ["result:a..b", "result", []],
  ["%zz:histogram,result:tree", "result", ["tree"]],
])("%j says of %j %o", (text, id, words) => {
  expect(lookIn(text, id)).toEqual(words);
});

test.each<readonly [string, string, readonly string[], string]>([
  ["", "result", ["histogram"], "result:histogram"],
  ["", "result", [], ""],
  ["result:histogram", "result", ["table", "-2"], "result:table.-2"],
  ["result:histogram,input:tree", "result", [], "input:tree"],
  ["result:histogram", "value-a,b-c:1", ["tree"], "result:histogram,value-a%2Cb-c%3A1:tree"],
  ["broken", "result", ["tree"], "result:tree"],
])("%j with %j as %o is %j", (text, id, words, now) => {
  expect(looksText(text, id, words)).toBe(now);
});

test("an address tells so many looks at most", () => {
  const text = Array.from({ length: MOST_LOOKS + 1 }, (_, at) => `v${at}:tree`).join(",");
  expect([lookIn(text, `v${MOST_LOOKS - 1}`), lookIn(text, `v${MOST_LOOKS}`)]).toEqual([["tree"], []]);
});
