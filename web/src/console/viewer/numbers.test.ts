/** Numbers as figures, bins, lines, pictures and plots. */

import { expect, test } from "vitest";
import { cividis } from "./cividis.ts";
import { svgOf } from "./drawing.ts";
import { extremesOf } from "./extremes.ts";
import { pictureOf, pixelsOf, rowsGrid } from "./grid.ts";
import { MAX_BINS, histogramOf } from "./histogram.ts";
import { layoutOf } from "./layout.ts";
import { histogramPlot, linePlot, scatterPlot, ticks } from "./plots.ts";
import { sorted, statisticsOf } from "./statistics.ts";

function described(numbers: readonly number[]): { statistics: ReturnType<typeof statisticsOf>; bins: ReturnType<typeof histogramOf> } {
  const finite = sorted(numbers);
  const statistics = statisticsOf(numbers, finite);
  return { statistics, bins: histogramOf(finite, statistics) };
}

test("figures of numbers", () => {
  expect(described([4, 1, 3, 2, NaN, Infinity, -Infinity]).statistics).toEqual({
    count: 7,
    nans: 1,
    infinite: 2,
    min: 1,
    max: 4,
    mean: 2.5,
    deviation: Math.sqrt(5 / 3),
    lower: 1.75,
    median: 2.5,
    upper: 3.25,
  });
  expect(described([1e9 + 1, 1e9 + 2, 1e9 + 3]).statistics.deviation).toBe(1);
  expect(described([5]).statistics).toMatchObject({ mean: 5, deviation: NaN, median: 5 });
  expect(described([NaN]).statistics).toMatchObject({ nans: 1, infinite: 0, min: NaN, mean: NaN, median: NaN });
});

test("bins hold every finite number once, and are as wide as they should be", () => {
  const uniform = Array.from({ length: 1000 }, (_, at) => at);
  // Two quartiles of 499.5 over ten, the cube root of a thousand.
  expect(described(uniform).bins).toMatchObject({ from: 0, width: 99.9 });
  for (const numbers of [
    uniform,
    [5, 5, 5],
    [1, 1, 1, 1, 1, 1, 1, 2],
    [-Number.MAX_VALUE, 0, Number.MAX_VALUE],
    [0, 5e-324],
    [1, 2, 3, 4, 1e12],
    [7],
    [1e16, 1e16 + 2],
  ]) {
    const { counts } = described(numbers).bins;
    expect(counts.length).toBeLessThanOrEqual(MAX_BINS);
    expect([numbers, counts.reduce((sum, count) => sum + count, 0)]).toEqual([numbers, numbers.length]);
  }
  expect(described([1, 2, 3, 4, 1e12]).bins.counts.length).toBe(MAX_BINS);
});

test("a long line keeps what sticks out", () => {
  const numbers = new Float64Array(100_000);
  numbers[70_123] = 9;
  numbers[70_124] = -9;
  const { low, high } = extremesOf(numbers, 100);
  expect([low.length, low[70], high[70], low[71], high[71]]).toEqual([100, -9, 9, 0, 0]);
  expect(extremesOf([1, NaN, 3], 100)).toEqual({ low: Float64Array.of(1, NaN, 3), high: Float64Array.of(1, NaN, 3) });
});

test("cividis goes from blue to yellow, and gets brighter all the way", () => {
  const colours = Array.from({ length: 101 }, (_, at) => cividis(at / 100));
  const light = colours.map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue);
  expect(light.every((now, at) => at === 0 || now >= (light[at - 1] as number))).toBe(true);
  expect([cividis(-1), cividis(2)]).toEqual([colours[0], colours[100]]);
  const [[, , blue], [red, green]] = [cividis(0), cividis(1)];
  expect(blue > 60 && red > 240 && green > 220).toBe(true);
});

test("pictures are painted from numbers", () => {
  const pixels = (value: unknown, scale: "linear" | "log" = "linear"): number[] => {
    const grid = pictureOf(value);
    return grid === undefined ? [] : [...pixelsOf(grid, scale)];
  };
  const [dark, middle, bright] = [cividis(0), cividis(128 / 255), cividis(1)].map((colour) => [...colour, 255]);
  const row = (data: unknown): unknown => ({ data, width: 3, height: 1 });
  expect(pixels(row([1, 2, 3]))).toEqual([dark, middle, bright].flat());
  expect(pixels(row([1, 10, 100]), "log")).toEqual([dark, middle, bright].flat());
  expect(pixels(row([NaN, 0, 1]))).toEqual([[0, 0, 0, 0], dark, bright].flat());
  expect(pixels(row([0, 1, 10]), "log")).toEqual([[0, 0, 0, 0], dark, bright].flat());
  expect(pixels(row([5, 5, 5]))).toEqual([middle, middle, middle].flat());
  const colours = Uint8ClampedArray.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
  expect(pixels(row(colours))).toEqual([...colours]);
  expect(pixels(row(BigInt64Array.of(1n, 2n, 3n)))).toEqual([dark, middle, bright].flat());
  expect([
    pictureOf(row([1, 2])),
    pictureOf(null),
    pictureOf({ data: [1], width: 1 }),
    pictureOf({ data: [1], width: 0.5, height: 2 }),
  ]).toEqual([undefined, undefined, undefined, undefined]);
  const rows = [Float32Array.of(1, 2, 3), [4, 5, 6]];
  const layout = layoutOf(rows);
  expect(layout && rowsGrid(rows, layout)).toMatchObject({ width: 3, height: 2, numbers: Float64Array.of(1, 2, 3, 4, 5, 6) });
});

test.each<readonly [number, number, readonly number[]]>([
  [0, 10, [0, 2, 4, 6, 8, 10]],
  [-1, 1, [-1, -0.5, 0, 0.5, 1]],
  [0.12, 0.98, [0.2, 0.4, 0.6000000000000001, 0.8]],
  [1e16, 1e16 + 2, []],
])("an axis from %d to %d", (min, max, expected) => {
  expect(ticks({ min, max }, 5)).toEqual(expected);
});

const COLOURS = { ink: "#000", muted: "#111", line: "#222", accent: "#333", ground: "#fff" };
const SIZE = { width: 640, height: 320 };

test("plots are sheets of marks inside of their size", () => {
  const sheets = [
    linePlot([1, NaN, 3, Infinity, -2], SIZE),
    linePlot([7], SIZE),
    linePlot([-Number.MAX_VALUE, Number.MAX_VALUE], SIZE),
    histogramPlot(described([1, 2, 3, 4, 5, 5]).bins, SIZE),
    histogramPlot(described([5, 5]).bins, SIZE),
    scatterPlot([1, 2, NaN], [3, 3, 3], ["x", "y"], SIZE),
    scatterPlot([], [], ["x", "y"], SIZE),
  ];
  for (const sheet of sheets) {
    const svg = svgOf(sheet, "a plot", COLOURS);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/u);
    for (const mark of sheet.marks) {
      const numbers = mark.kind === "text" ? [mark.x, mark.y] : mark.kind === "bars" ? mark.boxes : mark.points;
      expect(numbers.every((number) => !(number < 0) && !(number > SIZE.width))).toBe(true);
    }
  }
  const lifted = linePlot([1, NaN, 3], SIZE).marks.at(-1);
  expect(svgOf({ ...SIZE, marks: lifted === undefined ? [] : [lifted] }, "", COLOURS).match(/M/gu)?.length).toBe(2);
  expect(linePlot([1, NaN, 3], SIZE).marks.at(-2)).toMatchObject({ kind: "dots", points: { length: 4 } });
});

test("points on one pixel are one", () => {
  const sheet = scatterPlot(new Float64Array(10_000), new Float64Array(10_000), ["x", "y"], SIZE);
  expect(sheet.marks.at(-1)).toMatchObject({ kind: "dots", points: { length: 2 } });
});

test("a stranger's words are text in a picture", () => {
  const svg = svgOf(scatterPlot([1], [2], ['<script>"&', "\u0000\u0008"], SIZE), "</title><script>", COLOURS);
  expect(svg).not.toContain("<script");
  expect(svg).toContain("&lt;script&gt;&quot;&amp;");
  for (const unknown of ["\u0000", "\u0008"]) expect(svg).not.toContain(unknown);
});
