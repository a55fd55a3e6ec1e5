/** The files in which a value can be taken away: each a name, and the bytes that are made when somebody asks for them. */

import type { TypedArray } from "../../volunteer/job/cbor-tags.ts";
import { csvPieces } from "./csv.ts";
import { isTyped } from "./layout.ts";
import { npyParts } from "./npy.ts";
import type { Shape } from "./shape.ts";
import type { View } from "./view.ts";

export interface FileOffer {
  /** As people call it. */
  readonly kind: "JSON" | "CBOR" | "CSV" | "NPY" | "PNG" | "SVG";
  readonly make: () => Blob | Promise<Blob>;
}

/** What the value itself comes in. */
export function valueFiles(bytes: Uint8Array<ArrayBuffer>, shape: Shape | undefined, json: () => Promise<Blob>): FileOffer[] {
  const offers: FileOffer[] = [
    { kind: "JSON", make: json },
    { kind: "CBOR", make: () => new Blob([bytes], { type: "application/cbor" }) },
  ];
  if (shape === undefined) return offers;
  const { value, layout } = shape;
  if (layout !== undefined) offers.push({ kind: "CSV", make: () => new Blob([...csvPieces(value, layout)], { type: "text/csv" }) });
  const array = arrayOf(value);
  if (array !== undefined) offers.push({ kind: "NPY", make: () => new Blob(npyParts(array.data, array.sides)) });
  return offers;
}

/** What is seen of it. */
export function viewFiles(view: View): FileOffer[] {
  const { png, svg } = view;
  const offers: FileOffer[] = [];
  if (png !== undefined) offers.push({ kind: "PNG", make: () => png.call(view) });
  if (svg !== undefined) offers.push({ kind: "SVG", make: () => svg.call(view) });
  return offers;
}

/** A list of numbers, or the numbers of a picture row by row. */
function arrayOf(value: unknown): { data: TypedArray; sides: readonly number[] } | undefined {
  if (isTyped(value)) return { data: value, sides: [value.length] };
  if (typeof value !== "object" || value === null) return undefined;
  const { data, width, height } = value as { data?: unknown; width?: unknown; height?: unknown };
  if (!isTyped(data) || typeof width !== "number" || typeof height !== "number") return undefined;
  if (data.length === width * height) return { data, sides: [height, width] };
  return data.length === 4 * width * height ? { data, sides: [height, width, 4] } : undefined;
}
