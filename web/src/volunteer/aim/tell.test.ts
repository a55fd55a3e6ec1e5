/** What the page says of the work, in each language, and which links it shows. */

import { expect, test } from "vitest";
import { LANGUAGES, Words } from "../words/words.ts";
import { linkTo, tell } from "./tell.ts";

const WORKFLOW = { name: "pi", done: 412, total: 1001 };

test("the numbers are written as the language does", () => {
  expect(LANGUAGES.map((language) => tell(WORKFLOW, new Words(language)).progress)).toEqual([
    "412 of 1,001 jobs of this run are done",
    "412 von 1.001 Jobs dieses Laufs sind fertig",
    "此次运行的 1,001 个任务已完成 412 个",
  ]);
});

test("what is not said is not shown", () => {
  const { project, question, link, done, total } = tell(WORKFLOW, new Words("en"));
  expect([project, question, link, done, total]).toEqual(["", "", undefined, 412, 1001]);
});

test("strangers' texts stay what they are", () => {
  const question = "<img src=x onerror=alert(1)> {done}";
  expect(tell({ ...WORKFLOW, question }, new Words("de")).question).toBe(question);
});

test.each([
  ["https://example.org/about?a=1#b", "example.org"],
  ["http://127.0.0.1:8080/", "127.0.0.1:8080"],
  ["https://b\u00e4nk.example/", "xn--bnk-qla.example"],
  ["HTTPS://EXAMPLE.ORG", "example.org"],
  ["javascript:alert(1)", undefined],
  ["java\nscript:alert(1)//https://a.org", undefined],
  ["data:text/html,hello", undefined],
  ["blob:https://a.org/1", undefined],
  ["https://bank.org@evil.org/", undefined],
  ["https://:secret@evil.org/", undefined],
  ["/console", undefined],
  ["//evil.org/", undefined],
  ["https://", undefined],
  ["", undefined],
])("%s leads to %s", (text, host) => {
  expect(linkTo(text)?.host).toBe(host);
});
