/** What a diagnostic's help offers to write, as a change of the text: only where the help itself names what to write. Pure. */

import type { DiagnosticView } from "../../api/types.gen.ts";
import { CURES } from "../words/editor.ts";
import type { Place } from "./said.ts";

export interface Change extends Place {
  readonly insert: string;
}

export interface Cure {
  /** What a button says. */
  readonly title: string;
  readonly changes: readonly Change[];
  /** Where the cursor stands then, counted in the old text with these changes made. */
  readonly cursor?: number;
}

type Words = (text: string, at: Place, found: RegExpExecArray) => Cure | undefined;

const MEANT: readonly (readonly [RegExp, Words])[] = [
  [/^did you mean `([^`]+)`\?$/, (text, at, [, meant = ""]) => replaced(text, at, meant)],
  [/^(?:use the pool's id|name the pool), `([^`]+)`$/, (_, at, [, id = ""]) => whole(at, id)],
  [/^write `(\w+)="([^"`]*)"`$/, attributeValue],
  [
    /^write `(&\w+;)` for a plain `.`$/,
    (text, at, [, entity = ""]) => (at.to - at.from === 1 ? whole(at, entity) : entityAt(text, at, entity)),
  ],
  [/^insert a semicolon here$/, (_, at) => ({ title: CURES.insert(";"), changes: [{ from: at.from, to: at.from, insert: ";" }] })],
  [
    /^delete it$/,
    (text, at) => (at.to > at.from ? { title: titleOfRemoval(text.slice(at.from, at.to)), changes: [{ ...at, insert: "" }] } : undefined),
  ],
  [/^add `(\w+)="\.\."`$/, added],
];

/** `at`: where the diagnostic stands in the text. */
export function cureOf(text: string, at: Place, { help }: Pick<DiagnosticView, "help">): Cure | undefined {
  if (help === null) return undefined;
  for (const [words, cure] of MEANT) {
    const found = words.exec(help);
    if (found !== null) return cure(text, at, found);
  }
  return undefined;
}

function whole(at: Place, insert: string): Cure {
  return { title: CURES.write(insert), changes: [{ ...at, insert }] };
}

/** A misspelt element has an end tag too, which is to say the same. */
function replaced(text: string, at: Place, meant: string): Cure | undefined {
  if (at.to === at.from) return undefined;
  const name = text.slice(at.from, at.to);
  const cure = whole(at, meant);
  if (text[at.from - 1] !== "<") return cure;
  const end = endTag(text, at.to, name);
  return end === undefined ? cure : { ...cure, changes: [...cure.changes, { ...end, insert: meant }] };
}

/** The end tag of the element whose name ends here: elements of its name inside it have theirs first. */
function endTag(text: string, from: number, name: string): Place | undefined {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const tags = new RegExp(`<(/?)${escaped}(?=[\\s/>])[^>]*?(/?)>`, "g");
  const own = text.indexOf(">", from);
  if (own === -1 || text[own - 1] === "/") return undefined;
  tags.lastIndex = own;
  let open = 1;
  for (let found = tags.exec(text); found !== null; found = tags.exec(text)) {
    if (found[1] === "/") open -= 1;
    else if (found[2] !== "/") open += 1;
    if (open === 0) return { from: found.index + 2, to: found.index + 2 + name.length };
  }
  return undefined;
}

function attributeValue(text: string, at: Place, [, name = "", value = ""]: RegExpExecArray): Cure | undefined {
  const before = text.slice(0, at.from);
  return new RegExp(`\\s${name}\\s*=\\s*["']$`).test(before) ? whole(at, value) : undefined;
}

function entityAt(text: string, { from }: Place, entity: string): Cure | undefined {
  const plain = entity === "&amp;" ? "&" : "<";
  return text[from] === plain ? whole({ from, to: from + 1 }, entity) : undefined;
}

/** Behind the element's name, with the cursor between the quotes. */
function added(_: string, { to }: Place, [, name = ""]: RegExpExecArray): Cure {
  const insert = ` ${name}=""`;
  return { title: CURES.add(name), changes: [{ from: to, to, insert }], cursor: to + insert.length - 1 };
}

/** Blanks and what cannot be seen are not named. */
function titleOfRemoval(text: string): string {
  return text.trim() === "" ? CURES.removeIt : CURES.remove(text);
}
