/** Where elements come into a sentence. */

import type { VNode } from "preact";
import { expect, test } from "vitest";
import { Filled } from "./filled.tsx";

function filled(sentence: VNode): string {
  const parts = sentence.props.children as unknown as readonly VNode[];
  return parts.map(({ props }) => props.children).join("");
}

test.each([
  [Filled({ text: "nothing", holes: {} }), "nothing"],
  [Filled({ text: "{job} first", holes: { job: "one" } }), "one first"],
  [Filled({ text: "from {from} to {to}.", holes: { from: "here", to: "there" } }), "from here to there."],
  // What a hole is filled with has no holes.
  [Filled({ text: "in {queue}", holes: { queue: "{queue}" } }), "in {queue}"],
])("%#: %s", (sentence, text) => {
  expect(filled(sentence)).toBe(text);
});
