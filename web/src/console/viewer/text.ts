/** Single values as text, so that no two of them look alike: `-0` is not `0`, `NaN` no text, `undefined` not absent. Pure. */

/** What stands where an object of a table has no such name. */
export const ABSENT: unique symbol = Symbol("absent");

/** Texts that would be taken for another value if they stood bare. */
const LIKE_ANOTHER = /^$|^\s|\s$|^(?:undefined|null|true|false|NaN|[+-]?Infinity|[+-]?\.?\d.*)$/u;

export function numberText(number: number): string {
  return Object.is(number, -0) ? "-0" : String(number);
}

/** What a value is called: `number`, `text`, `Array`, `Float64Array`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "Array";
  if (ArrayBuffer.isView(value)) return value.constructor.name;
  return typeof value === "string" ? "text" : typeof value;
}

export function isSingle(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** A single value as one would write it; a text in quotes. */
export function literal(value: unknown): string {
  if (typeof value === "number") return numberText(value);
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** The same for a cell of a table, where most texts need no quotes. */
export function cellText(value: unknown): string {
  if (value === ABSENT) return "";
  return typeof value === "string" && !LIKE_ANOTHER.test(value) ? value : literal(value);
}
