/**
 * Strangers' values as one short line of text, for people.
 *
 * Getters of fields are named, never called. What cannot be told from an object's own answers (the traps of a Proxy, an
 * error's own `message`) runs as code of the job, in its time, and what it throws ends here. Knows no job.
 */

import { NO_TEXT, messageOf } from "./errors.ts";
import {
  charCodeAt,
  classOf,
  errorPrototype,
  hasOwn,
  is,
  isArray,
  isBuffer,
  isoTime,
  keysOf,
  list,
  ownProperty,
  plainPrototype,
  prototypeOf,
  quote,
  slice,
  toText,
  typedLength,
  typedName,
} from "./primordials.ts";

/** What lies deeper is only named. */
const MAX_DEPTH = 3;
/** A chain of prototypes is followed so far. */
const MAX_CHAIN = 16;

interface Line {
  text: string;
  /** Characters (UTF-16) that it may have; it stops growing soon after. */
  readonly most: number;
  /** The objects around the one that is written. */
  readonly ancestors: object[];
}

/** Texts as they are, other values in a form for people, joined by blanks and cut to `most` characters. */
export function lineOf(start: string, values: readonly unknown[], most: number): string {
  const line: Line = { text: start, most, ancestors: list() };
  for (let index = 0; index < values.length && !isFull(line); index++) {
    const value = values[index];
    if (index > 0) add(line, " ");
    if (typeof value === "string") add(line, value);
    else write(line, value, 0);
  }
  return cut(line.text, most);
}

/** Cut where needed, between two characters. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = charCodeAt(text, most - 2);
  const isHalf = last >= 0xd800 && last < 0xdc00;
  return `${slice(text, 0, isHalf ? most - 2 : most - 1)}…`;
}

function isFull(line: Line): boolean {
  return line.text.length > line.most;
}

function add(line: Line, part: string): void {
  if (!isFull(line)) line.text += slice(part, 0, line.most + 1);
}

function write(line: Line, value: unknown, depth: number): void {
  switch (typeof value) {
    case "string":
      return add(line, quote(slice(value, 0, line.most)));
    case "number":
      return add(line, is(value, -0) ? "-0" : toText(value));
    case "bigint":
      return add(line, `${toText(value)}n`);
    case "object":
    case "function":
      return value === null ? add(line, "null") : writeObject(line, value, depth);
    default:
      return add(line, toText(value));
  }
}

function writeObject(line: Line, value: object, depth: number): void {
  const before = line.text;
  try {
    describe(line, value, depth);
  } catch {
    line.text = before;
    add(line, NO_TEXT);
  }
}

function describe(line: Line, value: object, depth: number): void {
  for (let index = 0; index < depth; index++) {
    if (line.ancestors[index] === value) return add(line, "[cycle]");
  }
  line.ancestors[depth] = value;
  if (typeof value === "function") return add(line, functionName(value));
  if (isBuffer(value)) return writeTyped(line, value);
  if (isArray(value)) return writeItems(line, value as unknown[], depth);
  const prototype = prototypeOf(value);
  if (prototype === plainPrototype || prototype === null) return writeFields(line, value, depth);
  if (inherits(prototype, errorPrototype)) return add(line, messageOf(value));
  const name = slice(classOf(value), 8, -1);
  if (name === "Object") return writeFields(line, value, depth);
  add(line, name === "Date" ? isoTime(value as Date) : `[${name}]`);
}

function functionName(value: object): string {
  const name = ownProperty(value, "name");
  const told = name !== undefined && hasOwn(name, "value") && typeof name.value === "string" ? name.value : "";
  return told === "" ? "[function]" : `[function ${told}]`;
}

function inherits(prototype: object | null, wanted: object): boolean {
  let at = prototype;
  for (let step = 0; step < MAX_CHAIN && at !== null; step++) {
    if (at === wanted) return true;
    at = prototypeOf(at);
  }
  return false;
}

/** Elements of a typed array are read off its memory: nobody can stand in between. */
function writeTyped(line: Line, value: ArrayBufferView): void {
  const name = typedName(value);
  if (name === undefined) return add(line, "[DataView]");
  const length = typedLength(value);
  add(line, `${name}(${length}) [`);
  for (let index = 0; index < length && !isFull(line); index++) {
    if (index > 0) add(line, ", ");
    write(line, (value as Float64Array)[index], 0);
  }
  add(line, "]");
}

function writeItems(line: Line, items: unknown[], depth: number): void {
  if (depth >= MAX_DEPTH) return add(line, "[…]");
  const { length } = items;
  add(line, "[");
  for (let index = 0; index < length && !isFull(line); index++) {
    if (index > 0) add(line, ", ");
    writeProperty(line, items, index, depth);
  }
  add(line, "]");
}

function writeFields(line: Line, value: object, depth: number): void {
  if (depth >= MAX_DEPTH) return add(line, "{…}");
  const names = keysOf(value);
  add(line, "{");
  for (let index = 0; index < names.length && !isFull(line); index++) {
    const name = names[index] as string;
    add(line, index > 0 ? ", " : "");
    add(line, slice(name, 0, line.most));
    add(line, ": ");
    writeProperty(line, value, name, depth);
  }
  add(line, "}");
}

function writeProperty(line: Line, holder: object, name: string | number, depth: number): void {
  const found = ownProperty(holder, name);
  if (found === undefined) add(line, "undefined");
  else if (hasOwn(found, "value")) write(line, found.value, depth + 1);
  else add(line, "[getter]");
}
