/** How the nodes of a run stand: an octet for each, in document order, whose value is the place of its state among all states. */

import type { ReadonlySignal } from "@preact/signals";
import { getBytes, runStatesPath } from "../../api/client.ts";
import type { RunFrame } from "../../api/types.gen.ts";
import { followPart } from "./runtopic.ts";

/** `undefined` until they are known. They are followed while somebody looks at the signal; each change is another array. */
export function runStates(run: string): ReadonlySignal<Uint8Array | undefined> {
  return followPart<Uint8Array>(run, {
    part: "states",
    read,
    patch: patchStates,
    whole: ({ nodes = [] }) => Uint8Array.from(nodes, ([, code]) => code),
  }).value;
}

async function read(run: string): Promise<Uint8Array> {
  const answer = await getBytes(runStatesPath(run));
  return new Uint8Array(await answer.arrayBuffer());
}

/** `undefined`: there are nodes that are not known yet. */
export function patchStates(known: Uint8Array, { nodes = [] }: RunFrame): Uint8Array | undefined {
  if (nodes.length === 0) return known;
  if (nodes.some(([place]) => place >= known.length)) return undefined;
  const now = known.slice();
  for (const [place, code] of nodes) now[place] = code;
  return now;
}
