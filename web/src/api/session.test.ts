/** What a fragment holds, and when a session has ended. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hasSession, isConsoleLink, isSignedOut, keepSession, linkIn, sessionHeaders, whenSignedOut } from "./session.ts";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const CODE = "wvk_0123456789abcdefghijABCDEFGHIJ01234567";

test.each<readonly [string, string | undefined]>([
  [`#link=${CODE}`, CODE],
  [`#link=${CODE}x`, undefined],
  [`#link=${CODE.slice(1)}`, undefined],
  ["#link=", undefined],
  ["#/runs/run_1", undefined],
  ["", undefined],
])("%s holds %s", (hash, link) => {
  expect(linkIn(hash)).toBe(link);
});

test("only the console's own links open it by themselves", () => {
  expect([CODE, CODE.replace("wvk_", "wvi_"), CODE.replace("wvk_", "wvr_")].map(isConsoleLink)).toEqual([true, false, false]);
});

test.each<readonly [number, string, boolean]>([
  [401, "notSignedIn", true],
  [401, "", true],
  [403, "noSessionKey", true],
  [401, "wrongSignIn", false],
  [403, "foreignOrigin", false],
  [404, "noSuchRun", false],
  [503, "notReady", false],
])("after %i %s: signed out is %s", (status, code, ended) => {
  const heard = vi.fn();
  whenSignedOut(heard);
  keepSession("half");
  expect(sessionHeaders()).toEqual({ "x-weevil-session-key": "half" });
  expect(isSignedOut(status, code)).toBe(ended);
  expect(heard).toHaveBeenCalledTimes(ended ? 1 : 0);
  expect(hasSession()).toBe(!ended);
  expect(sessionHeaders()).toEqual(ended ? {} : { "x-weevil-session-key": "half" });
});
