/** Sentences on an engine that gets no more of some code. Pure. */

import type { LeftOutView } from "../../api/types.gen.ts";
import { engineName } from "./engine.ts";

const CURE =
  'Nobody who runs it is at fault. Let the code round what it returns where engines calculate differently, or say agree="near(1e-9)" or within="engine" there.';

/** `Firefox gets no more of code 3f2a91c0: what it says differs from what Chromium says.`, and what to do about it. */
export function leftOutText({ code, engine, leading }: LeftOutView): string {
  const shown = code.slice(0, 8);
  return `${engineName(engine)} gets no more of code ${shown}: what it says differs from what ${engineName(leading)} says. ${CURE}`;
}

/** A job in which they differ; `said` and `leadingSaid` are their answers. */
export const DIFFERENCE = "{job}: {engine} says {said}, {leading} {leadingSaid}";
