/** What is found in a list by some words. */

import { expect, test } from "vitest";
import { fits } from "./fits.ts";

test.each([
  ["javascript, webcl", "", true],
  ["javascript, webcl", "  ", true],
  ["javascript, webcl", "WebCL", true],
  ["javascript, webcl", "cl java", true],
  ["javascript, webcl", "webgpu", false],
  ["javascript, webcl", "java webgpu", false],
])("%j looked through for %j: %s", (text, asked, found) => {
  expect(fits(text, asked)).toBe(found);
});
