/** What is told of a GPU. */

import { expect, test } from "vitest";

import { nameOf } from "./adapter.ts";

test.each([
  [{ vendor: "amd", architecture: "rdna-2", device: "0x73bf", description: "RX 6800" }, "amd rdna-2"],
  [{ vendor: "google", architecture: "" }, "google"],
  [{ architecture: "swiftshader" }, "swiftshader"],
  [{}, ""],
  [undefined, ""],
])("%o is called %o", (info, name) => {
  expect(nameOf(info === undefined ? {} : { info })).toBe(name);
});
