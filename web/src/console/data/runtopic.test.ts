/** What frames change of states. */

import { expect, test } from "vitest";
import type { RunFrame } from "../../api/types.gen.ts";
import { patchStates } from "./states.ts";

const frame = (part: Partial<RunFrame>): RunFrame => part as RunFrame;

test.each([
  ["nothing", undefined, [0, 1, 2]],
  ["one node", [[1, 6]], [0, 6, 2]],
  [
    "several",
    [
      [0, 4],
      [2, 8],
    ],
    [4, 1, 8],
  ],
  ["one that is not known", [[3, 6]], undefined],
] as const)("%s", (_, nodes, states) => {
  const known = Uint8Array.of(0, 1, 2);
  const told = nodes === undefined ? {} : { nodes: nodes.map(([place, code]): [number, number] => [place, code]) };
  expect(patchStates(known, frame(told))).toEqual(states === undefined ? undefined : Uint8Array.from(states));
  expect(known).toEqual(Uint8Array.of(0, 1, 2));
});
