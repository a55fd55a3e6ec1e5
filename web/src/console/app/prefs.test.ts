/** What is read of the choices that a browser has stored. */

import { expect, test } from "vitest";
import { prefsIn } from "./prefs.ts";

const DEFAULTS = { theme: "system", density: "normal", letters: true, zone: "local", open: null };

test.each([
  [null, {}],
  ["", {}],
  ["no JSON", {}],
  ["null", {}],
  ["[1]", {}],
  ['{"theme":"dark","letters":false}', { theme: "dark", letters: false }],
  ['{"theme":"pink","density":3,"other":1,"open":true}', { open: true }],
])("%s", (text, chosen) => {
  expect(prefsIn(text)).toEqual({ ...DEFAULTS, ...chosen });
});
