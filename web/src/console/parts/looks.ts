/**
 * How the values of a page are looked at, as the address says it in `faces`: for each value the id of its element and the words of the
 * viewer, as in `result:histogram,input:image.log`. Pure.
 *
 * What the words mean is the viewer's.
 */

/** Values whose looks one address tells. */
export const MOST_LOOKS = 32;
/** As the viewer has them. */
const WORDS = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/** The words for this value: no words where it is looked at as usual. */
export function lookIn(text: string, id: string): readonly string[] {
  return looksIn(text).get(id)?.split(".") ?? [];
}

/** The entry once this value is looked at so. */
export function looksText(text: string, id: string, words: readonly string[]): string {
  const looks = new Map(looksIn(text));
  if (words.length === 0) looks.delete(id);
  else looks.set(id, words.join("."));
  const told = [...looks].slice(0, MOST_LOOKS);
  return told.map(([one, look]) => `${encodeURIComponent(one)}:${look}`).join(",");
}

function looksIn(text: string): ReadonlyMap<string, string> {
  const parts = text.split(",").slice(0, MOST_LOOKS);
  return new Map(
    parts.flatMap((part) => {
      const [coded = "", look = ""] = part.split(":", 2);
      const id = decoded(coded);
      return id === undefined || !WORDS.test(look) ? [] : [[id, look] as const];
    }),
  );
}

function decoded(coded: string): string | undefined {
  try {
    return decodeURIComponent(coded);
  } catch {
    return undefined;
  }
}
