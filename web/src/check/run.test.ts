/** What a probe's job says, and what is made of it. The probes themselves run in browsers: tests/e2e/sandbox_check.rs. */

import { expect, test } from "vitest";
import { DOORS, jobCode } from "./doors.ts";
import { closed, open, verdictOf } from "./probe.ts";
import { PROBES, exists, found } from "./run.ts";
import { EN } from "./words/en.ts";

type Main = (host: string, origin: string) => Promise<{ reached: string[]; why: string }>;

function tried(code: string): ReturnType<Main> {
  const main = (0, eval)(`(function () { ${jobCode(code)}; return weevil_main })()`) as Main;
  return main("here", "http://here");
}

test("a door is tried in three ways", async () => {
  const all = ["directly", "through eval", "through Function"];
  expect((await tried("await 1")).reached).toEqual(all);
  expect((await tried("if (host + origin !== 'herehttp://here') throw 1")).reached).toEqual(all);
  const refused = await tried("nowhere()");
  expect(refused).toEqual({ reached: [], why: "ReferenceError: nowhere is not defined" });
});

test("every probe has a name of its own, and its code is JavaScript", () => {
  expect(new Set(PROBES.map(({ id }) => id)).size).toBe(PROBES.length);
  for (const { code, id } of PROBES) if (code !== undefined) expect(() => new Function(code), id).not.toThrow();
  expect(DOORS.length).toBeGreaterThan(20);
  const texts = Object.keys(EN)
    .filter((word) => word.endsWith("Tries"))
    .map((word) => word.slice(0, -"Tries".length));
  expect(PROBES.map(({ id }) => id)).toEqual(texts);
});

test("what was reached outweighs what the browser seems to lack", () => {
  expect(found({ reached: ["directly"], why: "" }, false)).toEqual(open("reached directly"));
  expect(found({ reached: [], why: "no" }, true)).toEqual(closed("no"));
  expect(found({ reached: [], why: "no" }, false).state).toBe("absent");
});

test("a path of names exists or not", () => {
  const from = { one: { two: 2, none: undefined }, nothing: null };
  const paths = ["one", "one.two", "one.none", "two", "one.two.three", "nothing.one"];
  expect(paths.map((path) => exists(path, from))).toEqual([true, true, false, false, false, false]);
});

test("one open door spoils the whole, and so does a page that proved nothing", () => {
  const absent = { state: "absent", detail: "" } as const;
  expect(verdictOf([closed("x"), absent])).toBe("closed");
  for (const findings of [[closed("x"), open("y")], [absent], []]) expect(verdictOf(findings)).toBe("open");
});
