/**
 * A result's JSON view as readable text, up to a budget of characters.
 *
 * Owns the marks of crates/model/src/json.rs: `{"$undefined":true}`, `{"$number":"NaN"}`, `{"$typed":..,"values":..}`,
 * `{"$object":{..}}`.
 * Stops early instead of printing sixteen megabytes to cut them afterwards.
 */

export interface Pretty {
  readonly text: string;
  /** True when there was more. */
  readonly cut: boolean;
}

const INDENT = "  ";
/** Lists of numbers and short words stay on one line up to this length. */
const LINE = 72;

class Full extends Error {}

class Printer {
  text = "";
  private readonly budget: number;

  constructor(budget: number) {
    this.budget = budget;
  }

  value(value: unknown, indent: string): void {
    const marked = unmark(value);
    if (marked !== undefined) this.put(marked);
    else if (isTyped(value)) this.list(value.values, indent, value.$typed);
    else if (Array.isArray(value)) this.list(value as unknown[], indent, "");
    else if (typeof value === "object" && value !== null) this.entries(Object.entries(unwrap(value)), indent);
    else this.put(JSON.stringify(value));
  }

  private put(text: string): void {
    this.text += text;
    if (this.text.length > this.budget) throw new Full();
  }

  private list(items: readonly unknown[], indent: string, name: string): void {
    const line = oneLine(items);
    this.put(name === "" ? "[" : `${name} [`);
    if (line === undefined) this.lines(items.length, indent, (index, inner) => this.value(items[index], inner));
    else this.put(line);
    this.put("]");
  }

  private entries(entries: readonly (readonly [string, unknown])[], indent: string): void {
    this.put("{");
    this.lines(entries.length, indent, (index, inner) => {
      const [name, value] = entries[index] as readonly [string, unknown];
      this.put(`${JSON.stringify(name)}: `);
      this.value(value, inner);
    });
    this.put("}");
  }

  private lines(length: number, indent: string, each: (index: number, inner: string) => void): void {
    if (length === 0) return;
    const inner = indent + INDENT;
    for (let index = 0; index < length; index++) {
      this.put(`${index === 0 ? "" : ","}\n${inner}`);
      each(index, inner);
    }
    this.put(`\n${indent}`);
  }
}

/** The view of a value as text of about `budget` characters at most. */
export function pretty(view: unknown, budget: number): Pretty {
  const printer = new Printer(budget);
  try {
    printer.value(view, "");
    return { text: printer.text, cut: false };
  } catch (problem) {
    if (!(problem instanceof Full)) throw problem;
    return { text: printer.text.slice(0, budget), cut: true };
  }
}

function oneLine(items: readonly unknown[]): string | undefined {
  let line = "";
  for (const item of items) {
    if (typeof item === "object" && item !== null && unmark(item) === undefined) return undefined;
    line += `${line === "" ? "" : ", "}${unmark(item) ?? JSON.stringify(item)}`;
    if (line.length > LINE) return undefined;
  }
  return line;
}

/** The word for a marked value that is no container. */
function unmark(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { $undefined, $number } = value as { $undefined?: unknown; $number?: unknown };
  if (Object.keys(value).length !== 1) return undefined;
  if ($undefined === true) return "undefined";
  return typeof $number === "string" ? $number : undefined;
}

/** The object itself, where it had to be told from a mark. */
function unwrap(value: object): object {
  const { $object } = value as { $object?: unknown };
  return typeof $object === "object" && $object !== null ? $object : value;
}

function isTyped(value: unknown): value is { $typed: string; values: unknown[] } {
  if (typeof value !== "object" || value === null) return false;
  const { $typed, values } = value as { $typed?: unknown; values?: unknown };
  return typeof $typed === "string" && Array.isArray(values);
}
