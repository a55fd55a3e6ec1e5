/** Samples and profiles as what charts show. */

import { expect, test } from "vitest";
import type { SeriesView } from "../../api/types.gen.ts";
import { FIGURES, type Figure, profileData, seriesData } from "./series.ts";

const SERIES: SeriesView = {
  span: "2h",
  everyMs: 10_000,
  since: 0,
  at: [10_000, 20_000, 60_000],
  jobs: [0, 5, 10],
  attempts: [0, 8, 10],
  errors: [0, 2, 0],
  mflops: [0, 1.5, 3],
  workers: [0, 1, 2],
  slots: [0, 4, 8],
  busy: [0, 3, 8],
  waiting: [7, 2, 0],
  leased: [0, 3, 8],
};

test.each<readonly [Figure, readonly (number | null)[]]>([
  ["mflops", [0, 1.5, 3]],
  ["jobs", [0, 0.5, 1]],
  ["waiting", [7, 2, 0]],
  ["leased", [0, 3, 8]],
  ["errors", [null, 250, 0]],
  ["utilisation", [null, 0.75, 1]],
  ["workers", [0, 1, 2]],
])("%s", (figure, values) => {
  expect(FIGURES[figure](SERIES)).toEqual(values);
});

test("a span ends at its newest sample, and a hole stays one", () => {
  expect(seriesData(SERIES, 50_000, ["jobs", "errors"])).toEqual({
    at: [10_000, 20_000, 40_000, 60_000],
    values: [
      [0, 0.5, null, 1],
      [null, 250, null, 0],
    ],
    from: 10_000,
    to: 60_000,
  });
});

test("a server that has just started has a span without samples", () => {
  const young = { ...SERIES, since: 90_000, at: [], workers: [] };
  expect(seriesData(young, 50_000, ["workers"])).toEqual({ at: [], values: [[]], from: 40_000, to: 90_000 });
});

test("a bin of a profile stands at its middle", () => {
  const profile = { from: 1000, widthMs: 500, mflops: [2, 4], busy: [0, 1] };
  expect(profileData(profile, "mflops")).toEqual({ at: [1250, 1750], values: [[2, 4]], from: 1000, to: 2000 });
  expect(profileData(profile, "busy").values).toEqual([[0, 1]]);
  expect(profileData({ ...profile, mflops: [] }, "mflops")).toEqual({ at: [], values: [[]], from: 1000, to: 1500 });
});
