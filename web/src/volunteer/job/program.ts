/**
 * Code text to a callable `weevil_main`: a classic script in sloppy mode, as in 2013, inside a function of its own so
 * that the helpers of two codes never meet.
 *
 * The text starts on the first line of what is evaluated and is named by `sourceURL`, so line numbers in stack traces
 * are those of the file. Never runs `weevil_main`.
 */

import type { SlotError } from "../../api/types.gen.ts";
import { messageOf, slotError, thrownError } from "./errors.ts";
import { apply, bare, charCodeAt, deleteProperty, fromCharCode, keysOf, list } from "./primordials.ts";

export type Main = (...args: unknown[]) => unknown;
/** `packed`: takes the bytes of all arguments and returns those of the result. */
export type Program = { readonly main: Main; readonly packed: boolean } | { readonly error: SlotError };

// oxlint-disable-next-line no-eval -- to run a stranger's code is what this worker is for.
const evaluate = eval as (text: string) => unknown;

/** `names` are what the text finds beside the global names. */
export function compile(text: string, source: string, names: Readonly<Record<string, unknown>> = {}): Program {
  // A script without `weevil_main` must not be given one that an earlier script left on the global object.
  deleteProperty(globalThis, "weevil_main");
  const given = keysOf(names);
  let script: (...values: unknown[]) => unknown;
  try {
    script = evaluate(wrapped(text, source, given)) as typeof script;
  } catch (thrown) {
    return bare({ error: slotError("syntax", `${source}: ${messageOf(thrown)}`) });
  }
  try {
    const main = apply(script, undefined, valuesOf(names, given));
    return typeof main === "function" ? bare({ main: main as Main, packed: false }) : bare({ error: missing(source) });
  } catch (thrown) {
    return bare({ error: thrownError(thrown) });
  }
}

/** What goes after `sourceURL`: a blank would end it. Not `replace`, which a job can change. */
function oneWord(source: string): string {
  let word = "";
  for (let index = 0; index < source.length; index++) {
    const code = charCodeAt(source, index);
    const blank = code <= 0x20 || code === 0xa0 || code === 0x2028 || code === 0x2029 || code === 0xfeff;
    word += blank ? "_" : fromCharCode(code);
  }
  return word;
}

/** Not `map`, nor a spread, which go by what a job can change. */
function valuesOf(names: Readonly<Record<string, unknown>>, given: readonly string[]): unknown[] {
  const values = list<unknown>();
  for (let index = 0; index < given.length; index++) values[index] = names[given[index] as string];
  return values;
}

/** Joined by commas. Not `join`, which a job can change. */
function listed(names: readonly string[]): string {
  let text = "";
  for (let index = 0; index < names.length; index++) text += index === 0 ? names[index] : `,${names[index]}`;
  return text;
}

function wrapped(text: string, source: string, names: readonly string[]): string {
  const name = oneWord(source);
  return `(function(${listed(names)}){${text}
return typeof weevil_main === "function" ? weevil_main : undefined})
//# sourceURL=${name}`;
}

function missing(source: string): SlotError {
  return slotError("noMain", `${source} defines no function \`weevil_main\``);
}
