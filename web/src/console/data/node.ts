/** One node of a run with what comes in and goes out, asked again whenever its state is another one; and the node of a job. */

import { effect, signal } from "@preact/signals";
import { getNode } from "../../api/client.ts";
import { Refusal } from "../../api/request.ts";
import type { NodeDetail } from "../../api/types.gen.ts";
import { newest } from "./run.ts";
import { runStates } from "./states.ts";

/** From one question after the jobs of a pool to the next. */
const PAUSE_MS = 2000;

export function watchNode(run: string, node: string) {
  const known = signal<NodeDetail | undefined>(undefined);
  const problem = signal<unknown>(undefined);
  const states = runStates(run);
  let [closed, code, asked] = [false, undefined as number | undefined, -Infinity];

  async function load(): Promise<void> {
    [problem.value, asked] = [undefined, performance.now()];
    try {
      const detail = await getNode(run, node);
      if (!closed) known.value = detail;
    } catch (refused) {
      if (!closed) problem.value = refused;
    }
  }
  const unfollow = effect(() => {
    const place = known.value?.node.place;
    const now = place === undefined ? undefined : states.value?.[place];
    const isOther = code !== undefined && now !== undefined && now !== code;
    code = now ?? code;
    // The jobs of a pool go on while its state stays.
    const isNews = newest.value?.summary.id === run && known.peek()?.node.kind === "pool" && performance.now() - asked > PAUSE_MS;
    if (isOther || isNews) void load();
  });
  void load();
  const close = (): void => {
    closed = true;
    unfollow();
  };
  return { known, problem, load, close };
}

/** Parts of a job's path that may name its node: a job's own, a reducer's pool, a processor's pool before the place of its element. */
const NAMING = 3;

/** The node that a job is computed for; `undefined` where the server cannot be asked. */
export async function nodeOfJob(run: string, path: string): Promise<string | undefined> {
  const parts = path.split("/");
  const own = parts.at(-1);
  try {
    for (const candidate of parts.slice(-NAMING).toReversed()) {
      const detail = await nodeCalled(run, candidate);
      if (detail?.work.some(({ id }) => id === own) === true) return candidate;
    }
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused;
  }
  return undefined;
}

async function nodeCalled(run: string, id: string): Promise<NodeDetail | undefined> {
  try {
    return await getNode(run, id);
  } catch (refused) {
    if (refused instanceof Refusal && refused.code === "noSuchNode") return undefined;
    throw refused;
  }
}
