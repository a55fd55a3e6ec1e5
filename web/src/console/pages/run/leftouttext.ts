/** The sentence on an engine that gets no more of some code. Pure. */

import type { LeftOutView } from "../../../api/types.gen.ts";
import { engineName } from "../../words/engine.ts";

/** `Firefox gets no more of code 3f2a91c0: what it says differs from what Chromium says.` */
export function leftOutText({ code, engine, leading }: LeftOutView): string {
  const shown = code.slice(0, 8);
  return `${engineName(engine)} gets no more of code ${shown}: what it says differs from what ${engineName(leading)} says.`;
}
