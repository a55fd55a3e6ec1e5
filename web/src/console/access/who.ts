/** Who is signed in, as the server last said. Never decides what somebody may: the server refuses. */

import { getMe } from "../../api/access.ts";
import type { Me } from "../../api/types.gen.ts";

let known: Me | undefined;

/** Asks the server. @throws Refusal */
export async function learnWho(): Promise<Me> {
  known = await getMe();
  return known;
}

/** Whether it is of use to show somebody what needs this right. */
export function has(right: string): boolean {
  return known?.rights.includes(right) ?? false;
}
