/** What is drawn of a document beside its text: the picture of its outline, with the nodes in which something is wrong. Pure. */

import type { DiagnosticView, GraphItem, GraphView } from "../../api/types.gen.ts";
import { type Facts, NO_FACTS } from "../graph/facts.ts";
import { EDITOR } from "../words/editor.ts";
import type { Mark } from "../words/states.ts";
import { nodeAround } from "./knowledge.ts";
import { type Lines, placeOf } from "./places.ts";
import type { Outline } from "./said.ts";

const MISTAKEN: Mark = { shape: "failed", word: EDITOR.mistaken, meaning: "" };

/** Nodes of each layer, as far as they are drawn. */
export function countsOf({ items, layers }: GraphView): readonly number[] {
  const counts = Array.from({ length: layers }, () => 0);
  for (const { layer, count } of items) counts[layer] = (counts[layer] ?? 0) + count;
  return counts;
}

/** A node is mistaken where an error stands in its element, or where it is named. */
export function mistakesOf(text: string, lines: Lines, found: readonly DiagnosticView[], outline: Outline): Facts {
  const errors = found.filter(({ severity }) => severity === "error");
  const nodes = new Set(errors.map((error) => nodeAround(text, placeOf(lines, error).from, outline)));
  const isMistaken = (item: GraphItem): boolean => {
    const node = outline.nodes[item.node];
    return node !== undefined && nodes.has(node);
  };
  return { ...NO_FACTS, markOf: (item) => (isMistaken(item) ? MISTAKEN : undefined) };
}
