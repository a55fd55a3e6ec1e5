/** Code text to `weevil_main`, and what is wrong with it where it does not become one. */

import { expect, test } from "vitest";
import type { SlotError } from "../../api/types.gen.ts";
import { type Main, compile } from "./program.ts";

function mainOf(text: string): Main {
  const program = compile(text, "Add.js");
  if (!("main" in program)) throw new Error(program.error.message);
  return program.main;
}

function errorOf(text: string): SlotError {
  const program = compile(text, "Add.js");
  if (!("error" in program)) throw new Error("it compiled");
  return program.error;
}

test("a classic script, as in 2013", () => {
  expect(mainOf("function weevil_main(a, b) { a = eval(a); return a + b; }")("40 + 4", 13)).toBe(57);
  expect(mainOf("var weevil_main = function () { return this === globalThis; }").call(undefined)).toBe(true);
  expect(mainOf("function weevil_main(a) { with (a) { return b; } }")({ b: 5 })).toBe(5);
  expect(mainOf("function weevil_main() { return 1 } // a last line without an end")()).toBe(1);
});

test("two codes keep their helpers apart", () => {
  const one = mainOf("function help() { return 1 } function weevil_main() { return help() }");
  const two = mainOf("function help() { return 2 } function weevil_main() { return help() }");
  expect([one(), two()]).toEqual([1, 2]);
});

test("a script without weevil_main says so, whatever an earlier one left behind", () => {
  expect(mainOf("weevil_main = function () { return 3 }")()).toBe(3);
  const error = errorOf("function main() {}");
  expect(error).toEqual({ kind: "noMain", message: "Add.js defines no function `weevil_main`", stack: "" });
  expect(errorOf("var weevil_main = 5").kind).toBe("noMain");
});

test("text that does not parse", () => {
  const error = errorOf("function weevil_main( {");
  expect(error.kind).toBe("syntax");
  expect(error.message).toMatch(/^Add\.js: SyntaxError: /);
});

test("a script that throws while it loads", () => {
  const error = errorOf("var x = 1;\nnope();\nfunction weevil_main() {}");
  expect(error.kind).toBe("thrown");
  expect(error.message).toBe("ReferenceError: nope is not defined");
  expect(error.stack).toContain("Add.js:2:1");
});

test("a stack trace names the file and its own lines", () => {
  const main = mainOf("\nfunction weevil_main() {\n  throw new Error('here');\n}");
  let stack = "";
  try {
    main();
  } catch (thrown) {
    stack = (thrown as Error).stack ?? "";
  }
  expect(stack).toContain("Add.js:3:9");
});

test("a name with a line break stays one name", () => {
  expect("main" in compile("function weevil_main() {}", "a b\nthrow 1")).toBe(true);
});
