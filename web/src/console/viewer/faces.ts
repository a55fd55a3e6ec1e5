/** The view for each way to look at a value. */

import type { TypedArray } from "../../volunteer/job/cbor-tags.ts";
import { binsIn, binsWords } from "./choices.ts";
import { makeBins, makeStatistics } from "./facts.ts";
import { pictureOf, plainNumbers, rowsGrid } from "./grid.ts";
import type { Histogram } from "./histogram.ts";
import { HeadlineView } from "./headline-view.ts";
import { ImageView } from "./image-view.ts";
import { PlotView } from "./plot-view.ts";
import { histogramPlot, linePlot } from "./plots.ts";
import { ScatterView } from "./scatter-view.ts";
import type { Face, Shape } from "./shape.ts";
import { TableView } from "./table-view.ts";
import { TreeView } from "./tree-view.ts";
import type { Choices, View } from "./view.ts";
import { VIEWER } from "../words/viewer.ts";

export function makeView(face: Face, shape: Shape, choices: Choices): View {
  const { value, kind, layout, columns = [], numbers } = shape;
  switch (face) {
    case "line": {
      const list = plainNumbers(value as TypedArray);
      const facts = numbers === undefined ? [] : [makeStatistics(numbers.statistics)];
      return new PlotView(VIEWER.line(list.length), (size) => linePlot(list, size), ...facts);
    }
    case "histogram": {
      if (numbers === undefined) break;
      const { statistics, histogram } = numbers;
      const title = VIEWER.histogram(statistics.count, histogram.counts.length);
      return new PlotView(title, (size) => histogramPlot(histogram, size), makeStatistics(statistics), keptBins(histogram, choices));
    }
    case "scatter":
      if (layout === undefined) break;
      return new ScatterView(value, layout, columns, choices);
    case "table":
      if (layout === undefined) break;
      return new TableView(value, layout, columns, choices);
    case "image": {
      const grid = pictureOf(value) ?? (layout && rowsGrid(value, layout));
      if (grid === undefined) break;
      return new ImageView(grid, choices);
    }
    case "headline":
      return new HeadlineView(value);
    case "tree":
      break;
  }
  return new TreeView(value, kind);
}

function keptBins(histogram: Histogram, { words, onChoice }: Choices): HTMLElement {
  const bins = makeBins(histogram);
  if (!(bins instanceof HTMLDetailsElement)) return bins;
  bins.open = binsIn(words);
  bins.addEventListener("toggle", () => {
    // What tells late may have given way to another face.
    if (bins.isConnected) onChoice(binsWords(bins.open));
  });
  return bins;
}
