/** Completion in the document: the table of the language where that knows, the checker's module where the document does. */

import { type Completion, type CompletionContext, type CompletionResult, pickedCompletion } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { type Context, contextAt } from "./context.ts";
import { type Offer, offersAt } from "./knowledge.ts";
import type { Completion as Named } from "./said.ts";

/** Names at a place of the document; nothing where none is expected. */
export type Names = (document: string, at: number) => Promise<Named | null | undefined>;

const WORD = /^[^\s"'<>/=]*$/;

export function completeDocument(names: Names) {
  return async ({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> => {
    const text = state.doc.toString();
    const context = contextAt(text, pos);
    if (context === undefined || (!explicit && context.kind === "element" && !context.tag)) return null;
    const fixed = offersAt(context).map(optionOf);
    if (context.kind !== "value") return result(context.from, fixed);
    const named = (await names(text, pos)) ?? { options: [] };
    const found = named.options.map(({ label, detail }) => ({ label, detail, type: "variable" }));
    const { from, to } = withoutBlanks(text, context);
    return result(from, [...found, ...fixed], to);
  };
}

function result(from: number, options: readonly Completion[], to?: number): CompletionResult | null {
  return options.length === 0 ? null : { from, options, validFor: WORD, ...(to === undefined ? {} : { to }) };
}

function withoutBlanks(text: string, { from, to }: Extract<Context, { kind: "value" }>): { from: number; to: number } {
  const value = text.slice(from, to);
  return value.trim() === "" ? { from, to } : { from: from + value.length - value.trimStart().length, to: from + value.trimEnd().length };
}

function optionOf({ label, apply, cursor, help }: Offer): Completion {
  const info = help === "" ? {} : { info: help };
  if (apply === undefined) return { label, type: "constant", ...info };
  return { label, type: "keyword", ...info, apply: (view, completion, from, to) => write(view, completion, { apply, cursor }, from, to) };
}

function write(
  view: EditorView,
  completion: Completion,
  { apply, cursor }: { readonly apply: string; readonly cursor: number | undefined },
  from: number,
  to: number,
): void {
  // Brackets and quotes that were closed by themselves stand there already.
  const end = apply.endsWith(">") && view.state.sliceDoc(to, to + 1) === ">" ? to + 1 : to;
  view.dispatch({
    changes: { from, to: end, insert: apply },
    selection: { anchor: from + (cursor ?? apply.length) },
    annotations: pickedCompletion.of(completion),
    userEvent: "input.complete",
  });
}
