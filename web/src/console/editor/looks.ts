/** How the text looks: the console's tokens, which reach into the shadow root, and no colour of its own. */

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const words = HighlightStyle.define([
  { tag: [tags.tagName, tags.keyword, tags.operatorKeyword], color: "var(--accent)" },
  { tag: [tags.attributeName, tags.propertyName], color: "var(--running)" },
  { tag: [tags.attributeValue, tags.string, tags.regexp], color: "var(--finished)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--held)" },
  { tag: [tags.comment, tags.processingInstruction], color: "var(--muted)" },
  { tag: tags.function(tags.definition(tags.variableName)), fontWeight: "650" },
]);

/** Pictures inside of styles are refused by the policy of all pages: lines under problems are lines. */
const underlined = (colour: string) => ({
  backgroundImage: "none",
  paddingBottom: "0",
  textDecoration: `underline wavy ${colour}`,
  textDecorationSkipInk: "none",
});

const frame = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--panel)", fontSize: "0.8125rem" },
  // The frame around it shows where the focus is.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.25rem" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": { backgroundColor: "var(--accent-soft) !important" },
  ".cm-gutters": { color: "var(--muted)", backgroundColor: "var(--sunken)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--sunken)" },
  ".cm-lintRange-active": { backgroundColor: "var(--paused-soft)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-lintRange-error": underlined("var(--failed)"),
  ".cm-lintRange-warning": underlined("var(--paused)"),
  ".cm-lintPoint::after": { borderBottomColor: "var(--failed)" },
  ".cm-tooltip": {
    color: "var(--ink)",
    backgroundColor: "var(--panel)",
    border: "1px solid var(--line)",
    borderRadius: "var(--round)",
    boxShadow: "var(--float)",
    font: "400 var(--t-body) var(--sans)",
    maxWidth: "32rem",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px var(--s2)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { color: "var(--on-accent)", backgroundColor: "var(--accent)" },
  "li[aria-selected] .cm-completionDetail": { color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal" },
  ".cm-completionInfo, .weevil-explained": { padding: "var(--s1) var(--s2)" },
  ".cm-diagnostic": { borderLeft: "0", whiteSpace: "pre-wrap" },
  ".cm-diagnosticAction": {
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
    font: "inherit",
    borderRadius: "4px",
    padding: "2px 8px",
  },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--sunken)", borderColor: "var(--line)" },
  ".cm-textfield": { color: "var(--ink)", backgroundColor: "var(--panel)", borderColor: "var(--edge)" },
  ".cm-button": { color: "var(--ink)", backgroundColor: "var(--panel)", backgroundImage: "none", borderColor: "var(--edge)" },
  ".cm-searchMatch": { backgroundColor: "var(--paused-soft)" },
});

export const LOOKS: Extension = [frame, syntaxHighlighting(words)];
