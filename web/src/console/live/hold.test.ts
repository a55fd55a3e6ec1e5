/** News while somebody holds them. */

import { expect, test } from "vitest";
import { deliver, heldBack, hold } from "./news.ts";

test("what comes while the news are held is counted, and its newest shown afterwards", () => {
  const shown: string[] = [];
  deliver("a", () => shown.push("a1"));
  hold(true);
  deliver("a", () => shown.push("a2"));
  deliver("b", () => shown.push("b1"));
  deliver("a", () => shown.push("a3"));
  expect([shown, heldBack.value]).toEqual([["a1"], 3]);
  hold(false);
  expect([shown, heldBack.value]).toEqual([["a1", "a3", "b1"], undefined]);
  deliver("b", () => shown.push("b2"));
  expect(shown.at(-1)).toBe("b2");
});
