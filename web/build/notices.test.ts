/** Whose notice a script begins with. */

import { expect, test } from "vitest";
import { packagesOf } from "./notices.ts";

test("each package is named once, however many modules of it there are", () => {
  const modules = [
    "/w/src/a.ts",
    "/w/node_modules/preact/dist/a.mjs",
    "/w/node_modules/@preact/signals/b.mjs",
    "/w/node_modules/preact/hooks/c.mjs",
  ];
  expect(packagesOf(modules)).toEqual(["@preact/signals", "preact"]);
  expect(packagesOf(["/w/src/a.ts", "\0virtual:x"])).toEqual([]);
});
