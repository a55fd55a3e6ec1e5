/** A token in the page's address: off it at once, and shown once. */

import { expect, test } from "vitest";
import { Shown, takeToken } from "./trust.ts";

test.each([
  ["", undefined, []],
  ["#top", undefined, []],
  ["#trust=wvt_1", "wvt_1", ["/?a=1"]],
  ["#trust=", "", ["/?a=1"]],
] as const)("%s has %s", (hash, token, addresses) => {
  const replaced: string[] = [];
  const found = takeToken({ hash, pathname: "/", search: "?a=1" }, (address) => replaced.push(address));
  expect([found, replaced]).toEqual([token, addresses]);
});

test("a token is shown once, also by a browser without a key", () => {
  const signed = { p256: true, key: new Uint8Array(1), signature: new Uint8Array(2) };
  for (const by of [signed, undefined]) {
    const shown = new Shown();
    expect(shown.with(by)).toBe(by);
    shown.set("wvt_1");
    expect(shown.with(by)?.token).toBe("wvt_1");
    expect(shown.with(by)).toBe(by);
  }
});
