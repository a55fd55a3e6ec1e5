/** The picture of the work: cells that fill and settle, a minute that fades, and neither where motion is not wanted. */

import { expect, test } from "vitest";
import type { EndedAttempts, SlotStatus } from "../../api/types.gen.ts";
import { gridOf } from "./grid.ts";
import { SETTLE_MS, TRACE_SECONDS, WorkPicture } from "./work.ts";

function slot(at: number, activity: SlotStatus["activity"], progress: number | null = null): SlotStatus {
  return { slot: at, activity, progress };
}

function ended(at: number, done: number, failed = 0): EndedAttempts {
  return { slot: at, workflow: "pi", workflowHash: "aa", done, failed, computeMs: 1, flops: 1 };
}

test("a cell fills with its job's progress, and settles when one has ended in it", () => {
  const picture = new WorkPicture();
  picture.hear({ eachSlot: [slot(0, "working", 0.4), slot(1, "working"), slot(2, "free")], ended: [ended(2, 1)] }, 0);
  expect(picture.view(0, false).cells).toEqual([
    { activity: "working", fill: 0.4, settled: 0 },
    { activity: "working", fill: undefined, settled: 0 },
    { activity: "free", fill: undefined, settled: 1 },
  ]);
  const settled = [0, 0.25, 0.5, 1, 2].map((part) => picture.view(part * SETTLE_MS, false).cells[2]?.settled);
  expect(settled).toEqual([1, 0.75, 0.5, 0, 0]);
});

test("a slot that is gone leaves nothing for the next one of its number", () => {
  const picture = new WorkPicture();
  picture.hear({ eachSlot: [slot(0, "working"), slot(1, "working")], ended: [ended(1, 1)] }, 0);
  picture.hear({ eachSlot: [slot(0, "working")], ended: [] }, 1);
  picture.hear({ eachSlot: [slot(0, "working"), slot(1, "working")], ended: [] }, 2);
  expect(picture.view(2, false).cells.map(({ settled }) => settled)).toEqual([0, 0]);
});

test("the trace is the last minute, second by second, and then nothing", () => {
  const picture = new WorkPicture();
  picture.hear({ eachSlot: [], ended: [ended(0, 2), ended(1, 1, 1)] }, 500);
  picture.hear({ eachSlot: [], ended: [ended(0, 5)] }, 900);
  const at = (now: number): [place: number, done: number, failed: number][] =>
    picture.view(now, false).trace.flatMap(({ done, failed }, place) => (done + failed > 0 ? [[place, done, failed]] : []));
  expect(picture.view(900, false).trace.length).toBe(TRACE_SECONDS);
  expect([at(900), at(30_900), at(59_900)]).toEqual([[[59, 8, 1]], [[29, 8, 1]], [[0, 8, 1]]]);
  expect([picture.view(59_900, false).ended, picture.view(60_000, false).ended]).toEqual([9, 0]);
});

test("without motion nothing fades, and cells go up in quarters", () => {
  const picture = new WorkPicture();
  picture.hear({ eachSlot: [slot(0, "working", 0.7), slot(1, "working"), slot(2, "resting")], ended: [ended(0, 3)] }, 0);
  const view = picture.view(0, true);
  expect(view.cells.map(({ fill, settled }) => [fill, settled])).toEqual([
    [0.5, 0],
    [undefined, 0],
    [undefined, 0],
  ]);
  expect([view.trace, view.ended]).toEqual([[], 3]);
});

test.each([1, 2, 3, 4, 7, 8, 12, 16, 24, 32, 64, 100, 128, 256])("%d cells fit beside each other, on a phone and on a desk", (count) => {
  for (const width of [250, 292, 430, 700]) {
    const { columns, rows, side, gap, height } = gridOf(count, width);
    expect(columns * rows, String(width)).toBeGreaterThanOrEqual(count);
    expect(columns * (side + gap) - gap, String(width)).toBeLessThanOrEqual(width);
    expect(side, String(width)).toBeGreaterThanOrEqual(10);
    expect(height, String(width)).toBeLessThan(320);
  }
});
