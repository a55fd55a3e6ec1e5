/** Puts how this browser stands on the page. */

import type { Standing } from "../../api/types.gen.ts";
import { byId, setText } from "../../dom.ts";
import type { Words } from "../words/words.ts";
import { tellStanding } from "./tell.ts";

export function showStanding(standing: Standing | null, words: Words): void {
  const told = tellStanding(standing, Date.now(), words);
  byId("standing", HTMLElement).hidden = told === undefined;
  if (told === undefined) return;
  for (const name of ["given", "confirmed", "unchecked", "differed", "rank", "rest"] as const) {
    setText(byId(name, HTMLElement), told[name]);
  }
  byId("rest", HTMLElement).hidden = told.rest === "";
}
