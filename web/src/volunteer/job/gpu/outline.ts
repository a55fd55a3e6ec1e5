/**
 * What a WGSL text says about its kernels: entry points, workgroup sizes, bindings of group 0.
 *
 * Reads declarations only and judges nothing: the server has validated the text, and the browser compiles it. Texts keep
 * their length, so that the browser's line and column are those of the author's file.
 */

export type Triple = readonly [number, number, number];
export type Access = "uniform" | "read" | "readWrite";

export interface Binding {
  readonly number: number;
  readonly name: string;
  readonly access: Access;
  /** As written, with aliases put in: `array<f32>`. */
  readonly type: string;
}

export interface Parameter {
  /** What stands in `@builtin(..)`; `undefined` for a struct. */
  readonly builtin: string | undefined;
  readonly type: string;
}

export interface Entry {
  readonly name: string;
  /** Work items of one workgroup in each direction. */
  readonly size: Triple;
  readonly parameters: readonly Parameter[];
  /** Where its attributes and its parameters stand in the text. */
  readonly attributesAt: readonly [from: number, to: number];
  readonly parametersAt: readonly [from: number, to: number];
}

export interface Outline {
  readonly entries: readonly Entry[];
  readonly bindings: readonly Binding[];
}

const ATTRIBUTES = String.raw`((?:@\w+\s*(?:\([^()]*\))?\s*)+)`;
const ENTRY = new RegExp(String.raw`${ATTRIBUTES}fn\s+(\w+)\s*\(`, "g");
const BINDING = new RegExp(String.raw`${ATTRIBUTES}var\s*<([^<>]*)>\s*(\w+)\s*:\s*([^;=]+)`, "g");
const ALIAS = /\balias\s+(\w+)\s*=\s*([^;]+);/g;

export function outlineOf(text: string): Outline {
  const plain = withoutComments(text);
  const entries = [...plain.matchAll(ENTRY)].filter(([, attributes]) => /@compute\b/.test(attributes as string));
  const bindings = [...plain.matchAll(BINDING)].map((found) => binding(plain, found));
  return { entries: entries.map((found) => entry(plain, found)), bindings: bindings.filter((known) => known !== undefined) };
}

/** Blanks instead of comments; block comments nest. */
export function withoutComments(text: string): string {
  let plain = "";
  for (let at = 0; at < text.length;) {
    const end = commentEnd(text, at);
    plain += end > at ? blanks(text.slice(at, end)) : text.charAt(at);
    at = Math.max(end, at + 1);
  }
  return plain;
}

/** Behind the comment that begins at `at`; `at` itself where none does. */
function commentEnd(text: string, at: number): number {
  if (text.startsWith("//", at)) return at + (/^[^\n]*/.exec(text.slice(at))?.[0].length ?? 0);
  if (!text.startsWith("/*", at)) return at;
  const mark = /\/\*|\*\//g;
  mark.lastIndex = at;
  for (let depth = 0, found = mark.exec(text); found !== null; found = mark.exec(text)) {
    depth += found[0] === "/*" ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}

/** As long, with the same lines. */
export function blanks(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

function entry(text: string, found: RegExpExecArray): Entry {
  const [all, attributes, name] = found as unknown as [string, string, string];
  const from = found.index + all.length;
  const to = closing(text, from);
  return {
    name,
    size: sizeOf(text, attributes, name),
    parameters: split(text.slice(from, to)).map(parameter),
    attributesAt: [found.index, found.index + attributes.length],
    parametersAt: [from, to],
  };
}

function binding(text: string, found: RegExpExecArray): Binding | undefined {
  const [, attributes, space, name, type] = found as unknown as [string, string, string, string, string];
  const number = argument(attributes, "binding");
  if (number === undefined) return undefined;
  if (Number.parseInt(constant(text, argument(attributes, "group") ?? ""), 10) !== 0) {
    throw new Error(`\`${name}\` is not in group 0, where a kernel's bindings are`);
  }
  return {
    number: whole(constant(text, number), `the binding of \`${name}\``),
    name,
    access: accessOf(space),
    type: unaliased(text, type.trim()),
  };
}

/** A type with the names that the text declares by `alias` replaced by what they stand for. */
function unaliased(text: string, type: string): string {
  const aliases = new Map([...text.matchAll(ALIAS)].map(([, name, of]) => [name as string, (of as string).trim()]));
  let full = type;
  // One may stand for another, but not for itself.
  for (let turn = 0; turn < aliases.size; turn++) full = full.replace(/\w+/g, (word) => aliases.get(word) ?? word);
  return full;
}

function accessOf(space: string): Access {
  const [kind, access] = space.split(",").map((word) => word.trim());
  if (kind === "uniform") return "uniform";
  return access === "read_write" ? "readWrite" : "read";
}

function sizeOf(text: string, attributes: string, name: string): Triple {
  const words = (argument(attributes, "workgroup_size") ?? "1").split(",").filter((word) => word.trim() !== "");
  const [x = 1, y = 1, z = 1] = words.map((word) => whole(constant(text, word.trim()), `the workgroup size of \`${name}\``));
  return [x, y, z];
}

/** The number behind a name that the text declares with `const`. */
function constant(text: string, found: string): string {
  const word = found.trim();
  if (!/^[A-Za-z_]\w*$/.test(word)) return word;
  return new RegExp(String.raw`\bconst\s+${word}\s*(?::\s*\w+\s*)?=\s*(\w+)\s*;`).exec(text)?.[1] ?? word;
}

function whole(word: string, what: string): number {
  const number = Number(word.trim().replace(/[iu]$/, ""));
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${what} is \`${word}\`; a number is expected`);
  return number;
}

function argument(attributes: string, name: string): string | undefined {
  return new RegExp(String.raw`@${name}\s*\(([^()]*)\)`).exec(attributes)?.[1];
}

function parameter(text: string): Parameter {
  const builtin = argument(text, "builtin")?.trim();
  return { builtin, type: text.slice(text.lastIndexOf(":") + 1).trim() };
}

/** At commas that stand in no parentheses and no template. */
function split(text: string): string[] {
  const parts = text.split(/,(?![^(<]*[)>])/);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** Where the parenthesis that is open at `from` closes. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}
