/** Where a run comes from. Owns asking for it: once, since it stays as it is. */

import { type ReadonlySignal, signal } from "@preact/signals";
import { getOrigin } from "../../api/client.ts";
import { Refusal } from "../../api/request.ts";
import type { RunOriginView } from "../../api/types.gen.ts";

export interface Origin {
  readonly value: ReadonlySignal<RunOriginView | undefined>;
  readonly problem: ReadonlySignal<Refusal | undefined>;
  readonly again: () => void;
}

export function openOrigin(run: string): Origin {
  const value = signal<RunOriginView | undefined>(undefined);
  const problem = signal<Refusal | undefined>(undefined);
  async function load(): Promise<void> {
    try {
      value.value = await getOrigin(run);
      problem.value = undefined;
    } catch (why) {
      if (!(why instanceof Refusal)) throw why;
      problem.value = why;
    }
  }
  void load();
  return { value, problem, again: () => void load() };
}
