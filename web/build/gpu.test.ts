/** The GPU module carries its script where the job worker looks for it. */

import { expect, test } from "vitest";
import { withSection } from "./gpu.ts";

test.each([0, 1, 127, 128, 20_000])("a module with %i characters of script is a module", (length) => {
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  const module = new WebAssembly.Module(new Uint8Array(withSection(empty, "weevil-script", "x".repeat(length))));
  const [script] = WebAssembly.Module.customSections(module, "weevil-script");
  expect(new TextDecoder().decode(script)).toBe("x".repeat(length));
});
