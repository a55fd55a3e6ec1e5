/** The value nodes of a document, for the form of a run with other values; and whether a text can be a value of a type. Pure. */

import type { Outline } from "../../editor/said.ts";
import type { KnownValue } from "../workflows/inputs.ts";

export function valuesOf(outline: Outline | undefined): readonly KnownValue[] {
  const values = outline?.nodes.filter(({ element, id }) => element === "value" && id !== "") ?? [];
  return values.map(({ id, returns, value, source }) => ({
    id,
    type: returns,
    value: value === undefined ? undefined : unescaped(value),
    source,
  }));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** A value as it is meant, from how a document writes it. */
function unescaped(value: string): string {
  return value.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? "");
}
