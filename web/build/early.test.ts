/** The entry script is waited for, and nothing else of the page changes. */

import { expect, test } from "vitest";
import { early } from "./early.ts";

test("the entry script runs before the first paint", () => {
  const page = '<head><script type="module" crossorigin src="/a.js"></script><link rel="modulepreload" href="/b.js"></head>';
  expect(early(page)).toBe(page.replace(`"module"`, `"module" blocking="render"`));
});
