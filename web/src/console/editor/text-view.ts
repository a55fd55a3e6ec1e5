/**
 * The text of a workflow's files, one of them at a time, each with its own history. A plain object that knows neither the console nor
 * the checker: it says what was written and where somebody wants to go.
 *
 * It lives in a shadow root: there its styles are constructed sheets, while in the document they would be an element that the policy of
 * all pages refuses.
 */

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { xmlLanguage } from "@codemirror/lang-xml";
import { LanguageSupport, bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { DiagnosticView } from "../../api/types.gen.ts";
import { type Names, completeDocument } from "./completion.ts";
import { type Cure, cureOf } from "./cure.ts";
import { LOOKS } from "./looks.ts";
import { placeOf } from "./places.ts";
import type { Place } from "./said.ts";

export interface TextEvents {
  readonly onChange: (path: string, text: string) => void;
  /** Somebody has gone to a place, or has written there. */
  readonly onCursor: (path: string, at: number) => void;
  /** Ctrl or ⌘ with Enter. */
  readonly onRun: () => void;
  readonly onSave: () => void;
  /** Somebody wants to see what stands at a place: F12. */
  readonly onGo: (path: string, at: number) => void;
  /** The same for another name: F2. */
  readonly onRename: (path: string, at: number) => void;
  readonly names: Names;
  /** A sentence about a place of a file. */
  readonly explain: (path: string, text: string, at: number) => string | undefined;
}

export interface TextView {
  /** Shows a file; `text` counts where it is new, or has been changed from outside. */
  readonly open: (path: string, text: string, label: string) => void;
  readonly forget: (path: string) => void;
  /** Underlines problems of the file that is shown. */
  readonly mark: (found: readonly DiagnosticView[]) => void;
  readonly select: (at: Place) => void;
  readonly change: (cure: Cure) => void;
  readonly cursor: () => number;
  readonly text: () => string;
  readonly placeOf: (found: DiagnosticView) => Place;
  readonly end: () => void;
}

export function mountText(host: HTMLElement, events: TextEvents): TextView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const states = new Map<string, EditorState>();
  let path = "";
  const view = new EditorView({ root, parent: root });

  function open(next: string, text: string, label: string): void {
    if (path !== "") states.set(path, view.state);
    path = next;
    const known = states.get(next);
    const state = known?.doc.toString() === text ? known : newState(next, text, label);
    view.setState(state);
  }

  function newState(of: string, doc: string, label: string): EditorState {
    const changed = EditorView.updateListener.of((update) => {
      if (update.docChanged) events.onChange(of, update.state.doc.toString());
      if (update.selectionSet || update.docChanged) events.onCursor(of, update.state.selection.main.head);
    });
    const attributes = EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off", tabindex: "0" });
    return EditorState.create({
      doc,
      extensions: [keysOf(of, events), COMMON, languageOf(of, events), hoverOf(of, events), attributes, changed],
    });
  }

  function change({ changes, cursor }: Cure): void {
    const selection = cursor === undefined ? {} : { selection: { anchor: cursor } };
    view.dispatch({ changes: [...changes], ...selection, scrollIntoView: true, userEvent: "input.cure" });
    view.focus();
  }

  function marked(found: DiagnosticView): Diagnostic {
    const at = placeOf(view.state.doc, found);
    const cure = cureOf(view.state.doc.toString(), at, found);
    const message = [found.message, ...(found.help === null ? [] : [found.help])].join("\n");
    const actions = cure === undefined ? [] : [{ name: cure.title, apply: () => change(cure) }];
    return { ...at, severity: found.severity === "error" ? "error" : "warning", source: found.code, message, actions };
  }

  return {
    open,
    forget: (gone) => void states.delete(gone),
    mark: (found) => view.dispatch(setDiagnostics(view.state, found.map(marked))),
    select: ({ from, to }) => {
      const end = view.state.doc.length;
      const selection = { anchor: Math.min(from, end), head: Math.min(to, end) };
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: "center" }) });
      view.focus();
    },
    change,
    cursor: () => view.state.selection.main.head,
    text: () => view.state.doc.toString(),
    placeOf: (found) => placeOf(view.state.doc, found),
    end: () => view.destroy(),
  };
}

const COMMON: Extension = [
  LOOKS,
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  EditorView.lineWrapping,
];

/** Tab is left to the browser: it leads out of the text, as out of any field. */
function keysOf(path: string, { onRun, onSave, onGo, onRename }: TextEvents): Extension {
  const at = (deed: (path: string, at: number) => void) => (view: EditorView) => {
    deed(path, view.state.selection.main.head);
    return true;
  };
  const always = (deed: () => void) => () => {
    deed();
    return true;
  };
  return keymap.of([
    { key: "Mod-Enter", run: always(onRun) },
    { key: "Mod-s", run: always(onSave), preventDefault: true },
    { key: "F12", run: at(onGo), preventDefault: true },
    { key: "F2", run: at(onRename), preventDefault: true },
    // The console's palette has it.
    ...closeBracketsKeymap,
    ...defaultKeymap.filter(({ key, mac }) => key !== "Mod-k" && mac !== "Ctrl-k"),
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]);
}

function languageOf(path: string, { names }: TextEvents): Extension {
  if (/\.xml$/i.test(path)) {
    return [new LanguageSupport(xmlLanguage), autocompletion({ override: [completeDocument(names)] })];
  }
  if (/\.js$/i.test(path)) return [javascript(), autocompletion()];
  return /\.json$/i.test(path) ? [json()] : [];
}

function hoverOf(path: string, { explain }: TextEvents): Extension {
  return hoverTooltip((view, at) => {
    const words = explain(path, view.state.doc.toString(), at);
    if (words === undefined) return null;
    const { from, to } = view.state.wordAt(at) ?? { from: at, to: at };
    const dom = document.createElement("div");
    dom.className = "weevil-explained";
    dom.textContent = words;
    return { pos: from, end: to, above: true, create: () => ({ dom }) };
  });
}
