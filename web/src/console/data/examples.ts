/** The workflows that the server brings along: asked once, for they never change while it runs. */

import { signal } from "@preact/signals";
import { listExamples } from "../../api/client.ts";
import { Refusal } from "../../api/request.ts";
import type { ExampleView } from "../../api/types.gen.ts";

export const examples = signal<readonly ExampleView[]>([]);

let asked = false;

/** Without an answer there are none to offer; the next who wants them asks again. */
export async function wantExamples(): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    examples.value = await listExamples();
  } catch (refused) {
    asked = false;
    if (!(refused instanceof Refusal)) throw refused;
  }
}
