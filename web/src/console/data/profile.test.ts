/** What frames change of a run's profile. */

import { expect, test } from "vitest";
import type { BinView, RunFrame } from "../../api/types.gen.ts";
import { type Bins, patchBins, wholeBins } from "./profile.ts";

const WIDTH = 250;
const KNOWN: Bins = { from: 1000, widthMs: WIDTH, jobs: [1, 2], errors: [0, 1], mflops: [1.5, 2.5], busy: [0.5, 1] };

/** A bin that begins then: its jobs, and other figures that follow from them. */
function bin(at: number, jobs: number): BinView {
  return [at, jobs, jobs + 1, jobs / 2, jobs / 4];
}

function frame(bins: BinView[], whole = false, widthMs = WIDTH): RunFrame {
  return { profile: { widthMs, bins, ...(whole ? { whole } : {}) } } as RunFrame;
}

test.each<readonly [string, RunFrame, Partial<Bins> | undefined]>([
  ["nothing of it", {} as RunFrame, KNOWN],
  ["no bin", frame([]), KNOWN],
  ["a bin that is known", frame([bin(1250, 8)]), { jobs: [1, 8], errors: [0, 9], mflops: [1.5, 4], busy: [0.5, 2] }],
  ["the next one", frame([bin(1500, 4)]), { jobs: [1, 2, 4], errors: [0, 1, 5], mflops: [1.5, 2.5, 2], busy: [0.5, 1, 1] }],
  ["one beyond a hole", frame([bin(2000, 4)]), { jobs: [1, 2, 0, 0, 4], errors: [0, 1, 0, 0, 5] }],
  ["one before the first", frame([bin(500, 4), bin(1000, 3)]), { from: 500, jobs: [4, 0, 3, 2], busy: [1, 0, 0.75, 1] }],
  ["twice the width", frame([bin(1000, 3), bin(2000, 1)], true, 500), { from: 1000, widthMs: 500, jobs: [3, 0, 1] }],
  ["another width that was missed", frame([bin(1000, 3)], false, 500), undefined],
  ["no beginning of a bin", frame([bin(1001, 3)]), undefined],
  ["more than there are", frame([bin(1000 + 512 * WIDTH, 3)]), undefined],
  ["as many as there are", frame([bin(1000 + 511 * WIDTH, 3)]), { jobs: [1, 2, ...Array<number>(509).fill(0), 3] }],
])("%s", (_, told, expected) => {
  const before = structuredClone(KNOWN);
  const now = patchBins(KNOWN, told);
  if (expected === undefined) expect(now).toBeUndefined();
  else expect(now).toMatchObject(expected);
  expect(KNOWN).toEqual(before);
});

test("a snapshot has all of it, from its first bin on", () => {
  expect(wholeBins(frame([bin(750, 2), bin(1250, 4)], true))).toEqual({
    from: 750,
    widthMs: WIDTH,
    jobs: [2, 0, 4],
    errors: [3, 0, 5],
    mflops: [1, 0, 2],
    busy: [0.5, 0, 1],
  });
  expect(wholeBins(frame([], true)).jobs).toEqual([]);
  expect(patchBins(wholeBins(frame([], true)), frame([bin(1250, 4)], true))).toMatchObject({ from: 1250, jobs: [4] });
});

test("frame by frame it comes to what one snapshot tells", () => {
  const bins = Array.from({ length: 40 }, (_, at) => bin(1000 + ((at * 17) % 40) * WIDTH, at + 1));
  let now: Bins | undefined = wholeBins(frame(bins.slice(0, 1), true));
  for (const one of bins.slice(1)) now = now && patchBins(now, frame([one]));
  expect(now).toEqual(
    wholeBins(
      frame(
        bins.toSorted((one, other) => one[0] - other[0]),
        true,
      ),
    ),
  );
});
