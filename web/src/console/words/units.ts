/** Where the units are in a figure, so that they can be told quieter than its numbers. Pure. */

const UNITS = "ms|s|min|h|%|B|kB|MB|GB|MiB|GiB|MFLOPS|slots?";
/** A unit ends the figure, or another number follows it: in `5 min ago` it is a word among others. */
const UNIT = new RegExp(`(?<=\\d)\\s(${UNITS})(?=$| \\d)`, "u");
const THIN = "\u2009";

export interface Measured {
  readonly number: string;
  /** With a thin space in front; empty where there is none. */
  readonly unit: string;
}

/** `4 min 05 s` is two of them. */
export function unitsIn(text: string): readonly Measured[] {
  const found = UNIT.exec(text);
  if (found === null) return [{ number: text, unit: "" }];
  const [whole, unit] = found;
  const rest = text.slice(found.index + whole.length);
  return [{ number: text.slice(0, found.index), unit: `${THIN}${unit}` }, ...(rest === "" ? [] : unitsIn(rest))];
}
