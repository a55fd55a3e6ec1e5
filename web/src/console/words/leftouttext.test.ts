/** What the page of a run says of engines that are left out. */

import { expect, test } from "vitest";
import { engineName } from "./engine.ts";
import { leftOutText } from "./leftouttext.ts";

test.each([
  ["chromium", "Chromium"],
  ["gecko", "Firefox"],
  ["webkit", "Safari"],
  ["server", "The server"],
  ["other", "another kind of worker"],
])("%s is known as %s", (engine, name) => {
  expect(engineName(engine)).toBe(name);
});

test("an engine that is left out is named with the one that it differs from", () => {
  const text = leftOutText({ code: "3f2a91c0".repeat(8), engine: "gecko", leading: "chromium", differences: [] });
  expect(text).toMatch(/^Firefox gets no more of code 3f2a91c0: what it says differs from what Chromium says\. Nobody /u);
});
