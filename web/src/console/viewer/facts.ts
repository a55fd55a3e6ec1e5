/** What plots show, as tables for everybody. Takes data, asks nobody. */

import { make } from "../../dom.ts";
import type { Histogram } from "./histogram.ts";
import type { Statistics } from "./statistics.ts";
import { numberText } from "./text.ts";
import { VIEWER } from "../words/viewer.ts";

export function makeStatistics(statistics: Statistics): HTMLElement {
  const pairs = VIEWER.statisticNames.map(([key, name]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, numberText(statistics[key]))),
  );
  return make("dl", { class: "statistics", "aria-label": VIEWER.statistics }, ...pairs);
}

export function makeBins({ from, width, counts }: Histogram): HTMLElement {
  const heads = [VIEWER.binFrom, VIEWER.binTo, VIEWER.binCount].map((name) => make("th", { scope: "col" }, name));
  const rows = counts.map((count, bin) => {
    const cells = [from + width * bin, from + width * (bin + 1), count].map((number) => make("td", {}, numberText(number)));
    return make("tr", {}, ...cells);
  });
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
  return make("details", { class: "bins" }, make("summary", {}, VIEWER.bins), make("div", { class: "bins-table", tabindex: "0" }, table));
}
