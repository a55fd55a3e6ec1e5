/**
 * What strangers' code throws, as a bounded `SlotError`.
 *
 * Anything can be thrown and every property of it can throw in turn: nothing here ever does. Never holds on to the
 * thrown thing itself.
 */

import type { SlotError, SlotErrorKind } from "../../api/types.gen.ts";
import { NotAValueError, TooLargeError } from "./cbor-encode.ts";
import { bare, classOf, replace, slice, toText } from "./primordials.ts";

/** The same as `MAX_ERROR_CHARS` in crates/model/src/limits.rs. */
const MAX_ERROR_CHARS = 4000;
/** The runtime's name in stack traces; the build gives it to the bundle. */
const RUNTIME_LINE = /\n.*(?:weevil-job-runtime\.js|data:text\/javascript).*/g;
export const NO_TEXT = "something that cannot be shown as text";

export function slotError(kind: SlotErrorKind, message: string, stack = ""): SlotError {
  return bare({ kind, message: cut(message), stack: cut(stack) });
}

export function thrownError(thrown: unknown): SlotError {
  return slotError("thrown", messageOf(thrown), stackOf(thrown));
}

/** An error met while packing the result: ours says which kind it is, any other came out of a getter. */
export function resultError(thrown: unknown): SlotError {
  if (thrown instanceof NotAValueError) return slotError("notAValue", thrown.message);
  if (thrown instanceof TooLargeError) return slotError("tooLarge", thrown.message);
  return thrownError(thrown);
}

export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown !== "object" || thrown === null) return toText(thrown);
    const { name, message } = thrown as { name?: unknown; message?: unknown };
    if (typeof message !== "string") return classOf(thrown);
    return typeof name === "string" && name !== "Error" && name !== "" ? `${name}: ${message}` : message;
  } catch {
    return NO_TEXT;
  }
}

function stackOf(thrown: unknown): string {
  try {
    if (typeof thrown !== "object" || thrown === null) return "";
    const { stack } = thrown as { stack?: unknown };
    return typeof stack === "string" ? ownLines(slice(stack, 0, 4 * MAX_ERROR_CHARS)) : "";
  } catch {
    return "";
  }
}

function ownLines(stack: string): string {
  return slice(replace(stack, RUNTIME_LINE, ""), 0);
}

function cut(text: string): string {
  return slice(text, 0, MAX_ERROR_CHARS);
}
