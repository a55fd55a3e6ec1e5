/**
 * What is known at a place of a document: what may be written there, what stands there, and where it leads. From the table of the
 * language and from what the checker's module has read; never asks.
 */

import { type Context, contextAt } from "./context.ts";
import { type Files, resolve } from "./files.ts";
import type { NodeOutline, Outline, PartView, Place } from "./said.ts";
import { type ElementSpec, SCHEMA } from "./schema.gen.ts";

export interface Offer {
  readonly label: string;
  /** What is written instead of the label. */
  readonly apply?: string;
  /** Where the cursor stands in it then; its end without one. */
  readonly cursor?: number;
  readonly help: string;
}

export function elementOf(name: string): ElementSpec | undefined {
  return SCHEMA.find((one) => one.name === name);
}

/** Elements, attributes and fixed words that fit; empty where only the document knows. */
export function offersAt(context: Context): readonly Offer[] {
  switch (context.kind) {
    case "element":
      return childrenAt(context).map((child) => ({ label: child.name, help: child.help, ...tagOf(child, context.tag) }));
    case "close":
      return context.parent === undefined ? [] : [{ label: context.parent, apply: `${context.parent}>`, help: "" }];
    case "attribute":
      return (elementOf(context.element)?.attributes ?? [])
        .filter(({ name }) => !context.present.includes(name))
        .map(({ name, help }) => ({ label: name, apply: `${name}=""`, cursor: name.length + 2, help }));
    case "value": {
      const spec = elementOf(context.element)?.attributes.find(({ name }) => name === context.attribute);
      return (spec?.values ?? []).map((word) => ({ label: word, help: "" }));
    }
  }
}

/** Elements that stand once are not offered again. The root stands in nothing. */
function childrenAt({ parent, siblings }: Extract<Context, { kind: "element" }>): readonly ElementSpec[] {
  if (parent === undefined) return siblings.length === 0 ? SCHEMA.slice(0, 1) : [];
  const { children = [], many = [] }: Partial<ElementSpec> = elementOf(parent) ?? {};
  return children.filter((name) => many.includes(name) || !siblings.includes(name)).flatMap((name) => elementOf(name) ?? []);
}

/** The element with what it must have, and the cursor where something is still to be written. */
function tagOf({ name, attributes, children }: ElementSpec, begun: boolean): Pick<Offer, "apply" | "cursor"> {
  const required = attributes.filter((one) => one.required).map((one) => ` ${one.name}=""`);
  const head = `${begun ? "" : "<"}${name}${required.join("")}`;
  const [first = ""] = required;
  const inQuotes = head.length - required.join("").length + first.length - 1;
  if (children.length === 0) return { apply: `${head} />`, cursor: first === "" ? head.length : inQuotes };
  const apply = `${head}></${name}>`;
  return { apply, cursor: first === "" ? head.length + 1 : inQuotes };
}

export type Target = { readonly kind: "place"; readonly at: Place } | { readonly kind: "file"; readonly path: string };

const NAMES_A_NODE: ReadonlySet<string> = new Set(["edge source", "edge dest", "finalnode id"]);

/** Where what stands at a place leads: a node's own tag, or a file. */
export function targetAt(text: string, at: number, outline: Outline | undefined, files: Files): Target | undefined {
  const context = contextAt(text, at);
  if (context?.kind !== "value") return undefined;
  const word = text.slice(context.from, context.to).trim();
  if (NAMES_A_NODE.has(`${context.element} ${context.attribute}`)) {
    const node = outline?.nodes.find(({ id }) => id === word);
    return node === undefined ? undefined : { kind: "place", at: node.at };
  }
  if (context.attribute !== "src" && context.attribute !== "proof") return undefined;
  const file = resolve(files, word);
  return file === undefined ? undefined : { kind: "file", path: file.path };
}

/** The node that is named at a place, in its own tag or elsewhere. */
export function nodeAt(at: number, outline: Outline | undefined): NodeOutline | undefined {
  const holds = ({ from, to }: Place): boolean => from <= at && at <= to;
  const used = outline?.uses.find((use) => holds(use.at));
  return used === undefined ? outline?.nodes.find((node) => holds(node.at)) : outline?.nodes[used.node];
}

/** The node that is named at a place, or else the one whose element the place is in, or in the indentation of. */
export function nodeAround(text: string, place: number, { nodes, ...outline }: Outline): NodeOutline | undefined {
  const at = place + (/^[ \t]*(?=<)/.exec(text.slice(place, place + MAX_INDENT))?.[0].length ?? 0);
  const named = nodeAt(at, { nodes, ...outline });
  if (named !== undefined) return named;
  const begin = (node: NodeOutline): number => text.lastIndexOf("<", node.at.from);
  const node = nodes.findLast((one) => begin(one) <= at);
  return node !== undefined && at <= endOf(text, begin(node), node.element) ? node : undefined;
}

const MAX_INDENT = 200;

/** Where an element ends that begins at a place; nodes never stand in each other. */
function endOf(text: string, begin: number, element: string): number {
  const tag = /^<(?:"[^"<]*"|'[^'<]*'|[^"'<>])*>?/.exec(text.slice(begin))?.[0] ?? "";
  if (!tag.endsWith(">") || tag.endsWith("/>")) return begin + tag.length;
  const close = `</${element}>`;
  const end = text.indexOf(close, begin);
  return end === -1 ? begin + tag.length : end + close.length;
}

/** Every place where a node's id stands, in order. */
export function placesOf(node: NodeOutline, outline: Outline): readonly Place[] {
  const number = outline.nodes.indexOf(node);
  return [node.at, ...outline.uses.filter((use) => use.node === number).map((use) => use.at)].sort((a, b) => a.from - b.from);
}

/** What stands at a place, in a sentence or two. */
export function explainAt(text: string, at: number, outline: Outline | undefined): string | undefined {
  const node = nodeAt(at, outline);
  if (node !== undefined) return describe(node);
  const word = /^[\w:.-]*/.exec(text.slice(at))?.[0] ?? "";
  const context = contextAt(text, at + word.length);
  if (context === undefined || (context.kind !== "value" && word === "")) return undefined;
  switch (context.kind) {
    case "element":
    case "close":
      return elementOf(text.slice(context.from, at + word.length))?.help;
    case "attribute":
      return attributeHelp(context.element, text.slice(context.from, at + word.length));
    case "value":
      return attributeHelp(context.element, context.attribute);
  }
}

function attributeHelp(element: string, attribute: string): string | undefined {
  return elementOf(element)?.attributes.find(({ name }) => name === attribute)?.help;
}

/** A node as a signature: what goes in, what comes out. */
export function describe({ id, element, returns, ports }: PartView): string {
  const takes = ports.map((port) => `${port.id}: ${port.takes}`).join(", ");
  const signature = element === "value" ? id : `${id}(${takes})`;
  return `${element} ${signature}${returns === "" ? "" : `: ${returns}`}`;
}
