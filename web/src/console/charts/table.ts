/** What a chart shows, as rows of a table. */

import { make } from "../../dom.ts";
import { CHARTS } from "../words/charts.ts";
import { clock } from "../words/format.ts";
import type { ChartSpec } from "./chart.ts";
import { type ChartData, tableRows } from "./data.ts";

/** So many rows at most. */
const ROWS = 24;

/** Fills the table anew. Each row has means over its stretch of time. */
export function fillTable(table: HTMLTableElement, data: ChartData, { title, unit, lines, format }: ChartSpec): void {
  const heads = [CHARTS.time, ...lines.map(({ name }) => (unit === "" ? name : `${name}, ${unit}`))];
  const head = make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text))));
  const rows = tableRows(data, ROWS).map(({ from, to, means }) => {
    const when = from === to ? clock(from, data.to, true) : CHARTS.between(clock(from, data.to, true), clock(to, data.to, true));
    const cells = means.map((mean) => make("td", {}, mean === null ? CHARTS.unknown : format(mean)));
    return make("tr", {}, make("th", { scope: "row" }, when), ...cells);
  });
  table.replaceChildren(make("caption", { class: "unseen" }, title), head, make("tbody", {}, ...rows));
}
