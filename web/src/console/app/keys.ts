/**
 * Keys of the whole console: what a press means, and the table that help shows.
 *
 * Pure. Who does it is `app/shortcuts.ts`.
 */

/** What a letter behind `g` opens; ids of links in the side bar. */
export const PLACES: Readonly<Record<string, string>> = {
  o: "overview",
  r: "runs",
  w: "workflows",
  q: "queue",
  f: "workers",
};

export type Command =
  | { readonly kind: "palette" }
  | { readonly kind: "help" }
  | { readonly kind: "filter" }
  | { readonly kind: "close" }
  /** What is drawn is shown as tables as well, or no longer. */
  | { readonly kind: "tables" }
  /** The next press names a place. */
  | { readonly kind: "await" }
  | { readonly kind: "go"; readonly place: string }
  /** To another row; `begin`: to the first one, where the focus is on none. */
  | { readonly kind: "move"; readonly by: 1 | -1; readonly begin: boolean }
  /** So many rows on in the list that has the focus, or to its end; infinite: to its first or its last one. */
  | { readonly kind: "stride"; readonly by: number }
  | { readonly kind: "attempt"; readonly by: 1 | -1 }
  /** A look at the row that has the focus; `begin`: at the first one, where none has. */
  | { readonly kind: "peek"; readonly begin: boolean };

/** Rows of a page. */
const PAGE = 10;

const STRIDES: Readonly<Record<string, number>> = { Home: -Infinity, End: Infinity, PageUp: -PAGE, PageDown: PAGE };

export interface Press {
  readonly key: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly alt: boolean;
  /** Whether it is written into a field. */
  readonly inField: boolean;
}

/** What a press does; `undefined`: what the browser does. `letters`: single ones count. `after`: the one before was a `g`. */
export function commandOf(press: Press, letters: boolean, after: boolean): Command | undefined {
  const { key, ctrl, meta, alt, inField } = press;
  if ((ctrl || meta) && !alt && key.toLowerCase() === "k") return { kind: "palette" };
  if (ctrl || meta || alt) return undefined;
  if (key === "Escape") return { kind: "close" };
  if (inField) return undefined;
  if (key === " ") return { kind: "peek", begin: false };
  if (key === "ArrowDown" || key === "ArrowUp") return { kind: "move", by: key === "ArrowDown" ? 1 : -1, begin: false };
  const by = STRIDES[key];
  if (by !== undefined) return { kind: "stride", by };
  return letters ? letterOf(key, after) : undefined;
}

function letterOf(key: string, after: boolean): Command | undefined {
  const place = after ? PLACES[key] : undefined;
  if (place !== undefined) return { kind: "go", place };
  switch (key) {
    case "g":
      return { kind: "await" };
    case "?":
      return { kind: "help" };
    case "/":
      return { kind: "filter" };
    case "t":
      return { kind: "tables" };
    case "j":
      return { kind: "move", by: 1, begin: true };
    case "[":
      return { kind: "attempt", by: -1 };
    case "]":
      return { kind: "attempt", by: 1 };
    case "k":
      return { kind: "move", by: -1, begin: false };
    default:
      return undefined;
  }
}
