/** Where elements come into a sentence. */

import type { VNode } from "preact";
import { expect, test } from "vitest";
import { JUDGED_BY, STARTED_WITH } from "../words/jobtext.ts";
import { WHY } from "../words/why.ts";
import { Filled } from "./filled.tsx";

function filled(sentence: VNode): string {
  const parts = sentence.props.children as unknown as readonly VNode[];
  return parts.map(({ props }) => props.children).join("");
}

test.each([
  [Filled({ text: "nothing", holes: {} }), "nothing"],
  [Filled({ text: "{job} first", holes: { job: "one" } }), "one first"],
  [Filled({ text: "from {from} to {to}.", holes: { from: "here", to: "there" } }), "from here to there."],
  [Filled({ text: WHY.at, holes: { node: "sum" } }), "At sum"],
  [Filled({ text: WHY.atSeveral, holes: { node: "sum", others: WHY.others(1) } }), "At sum and 1 node more"],
  [Filled({ text: WHY.atSeveral, holes: { node: "sum", others: WHY.others(1200) } }), "At sum and 1,200 nodes more"],
  [Filled({ text: JUDGED_BY.bare, holes: { policies: "quorum(2)" } }), "Judged by quorum(2)."],
  [Filled({ text: STARTED_WITH.meant, holes: { policies: "none", meaning: "m" } }), "Started with the policy none: m."],
  // What a hole is filled with has no holes.
  [Filled({ text: "in {queue}", holes: { queue: "{queue}" } }), "in {queue}"],
])("%#: %s", (sentence, text) => {
  expect(filled(sentence)).toBe(text);
});
