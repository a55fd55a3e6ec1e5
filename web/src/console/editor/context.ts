/**
 * What stands around a place of a document that may be broken: which element, attribute or value somebody writes there, and what is
 * there already. Pure, and without a look at anything but the text.
 */

export type Context =
  /** The name of an element: behind a `<`, or in the content of one, where the `<` is still to be written. */
  | {
      readonly kind: "element";
      readonly from: number;
      readonly parent: string | undefined;
      readonly siblings: readonly string[];
      readonly tag: boolean;
    }
  | { readonly kind: "close"; readonly from: number; readonly parent: string | undefined }
  | { readonly kind: "attribute"; readonly from: number; readonly element: string; readonly present: readonly string[] }
  | { readonly kind: "value"; readonly from: number; readonly to: number; readonly element: string; readonly attribute: string };

/** Characters before a place in which its tag begins. */
const MAX_TAG_CHARS = 4000;

const NAME = String.raw`[\w:.-]+`;
const ATTRIBUTES = String.raw`((?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)`;
const VALUE = new RegExp(String.raw`<(${NAME})${ATTRIBUTES}\s+(${NAME})\s*=\s*(["'])([^"'<]*)$`);
const ATTRIBUTE = new RegExp(String.raw`<(${NAME})${ATTRIBUTES}\s+(${NAME})?$`);
const ELEMENT = new RegExp(String.raw`<(${NAME})?$`);
const CLOSE = new RegExp(String.raw`</(${NAME})?$`);
const MARKUP = new RegExp(String.raw`<!--[^]*?-->|<(/?)(${NAME})(?:"[^"<]*"|'[^'<]*'|[^"'<>])*?(/?)>`, "g");

/** `undefined` in a comment, and where nothing of the language stands. */
export function contextAt(text: string, at: number): Context | undefined {
  const before = text.slice(Math.max(0, at - MAX_TAG_CHARS), at);
  if (before.lastIndexOf("<!--") > before.lastIndexOf("-->")) return undefined;
  const value = VALUE.exec(before);
  if (value !== null) {
    const [, element = "", , attribute = "", quote = "", written = ""] = value;
    const from = at - written.length;
    return { kind: "value", from, to: endOfValue(text, at, quote), element, attribute };
  }
  const named = ATTRIBUTE.exec(before);
  if (named !== null) {
    const [, element = "", earlier = "", written = ""] = named;
    const present = namesIn(earlier).concat(namesIn(restOfTag(text, at)));
    return { kind: "attribute", from: at - written.length, element, present };
  }
  const closing = CLOSE.exec(before);
  const opening = ELEMENT.exec(before);
  const written = (closing ?? opening)?.[1] ?? "";
  const from = at - written.length;
  const around = familyAt(text, opening === null && closing === null ? at : at - (closing ?? opening ?? [""])[0].length);
  if (closing !== null) return { kind: "close", from, parent: around.parent };
  if (opening !== null) return { kind: "element", from, ...around, tag: true };
  return /(?:^|>|<\/?)\s*$/.test(before) ? { kind: "element", from: at, ...around, tag: false } : undefined;
}

function endOfValue(text: string, at: number, quote: string): number {
  const rest = text.slice(at, at + MAX_TAG_CHARS);
  const end = rest.search(new RegExp(`[${quote}<>\\n]`));
  return at + Math.max(end, 0);
}

function restOfTag(text: string, at: number): string {
  return /^(?:"[^"<]*"|'[^'<]*'|[^"'<>])*/.exec(text.slice(at, at + MAX_TAG_CHARS))?.[0] ?? "";
}

function namesIn(attributes: string): string[] {
  return [...attributes.matchAll(/([\w:.-]+)\s*=/g)].map(([, name = ""]) => name);
}

interface Open {
  readonly name: string;
  readonly children: string[];
}

/** The element that a place stands in, and the others in it, also those behind the place. */
function familyAt(text: string, at: number): { parent: string | undefined; siblings: string[] } {
  const open: Open[] = [{ name: "", children: [] }];
  let family: Open | undefined;
  for (const { index, 1: end, 2: name, 3: empty } of text.matchAll(MARKUP)) {
    if (index >= at) family ??= open.at(-1);
    if (name === undefined) continue;
    if (end === "/") {
      const level = open.findLastIndex((one, depth) => depth > 0 && one.name === name);
      if (level !== -1) open.length = level;
      if (family !== undefined && !open.includes(family)) break;
    } else {
      open.at(-1)?.children.push(name);
      if (empty !== "/") open.push({ name, children: [] });
    }
  }
  family ??= open.at(-1);
  return { parent: family?.name === "" ? undefined : family?.name, siblings: family?.children ?? [] };
}
