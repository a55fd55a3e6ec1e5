/** Which pieces of a long list are drawn. */

import { expect, test } from "vitest";
import { PIECE, drawnPieces, piecesOf } from "./drawn.ts";

test("a list has as many pieces as its rows need", () => {
  expect([0, 1, PIECE, PIECE + 1, 10_000].map(piecesOf)).toEqual([1, 1, 1, 2, 100]);
});

test.each([
  [[0], 1, false, "#"],
  [[0], 5, false, "##..."],
  [[1, 2], 5, false, ".###."],
  [[4], 5, false, "....#"],
  [[0], 5, true, "##..#"],
  [[], 3, false, "..."],
  [[], 3, true, "..#"],
] as const)("near %j of %i, its end %s", (near, pieces, ends, drawn) => {
  const told = drawnPieces(new Set<number>(near), pieces, ends).map((isDrawn) => (isDrawn ? "#" : "."));
  expect(told.join("")).toBe(drawn);
});
