/** The parts of a run's page, each with its name in the address. Another part is another row. */

import type { FunctionComponent } from "preact";
import type { RunView } from "../../../api/types.gen.ts";
import type { Route } from "../../app/routes.ts";
import { lazily } from "../../parts/lazy.tsx";
import { RUN } from "../../words/run.ts";
import { About } from "./about.tsx";
import { RunJobs } from "./jobs.tsx";
import { RunLog } from "./log.tsx";
import { Overview } from "./overview.tsx";

export type TabName = keyof typeof RUN.tabs;
/** Those, and what has no tab of its own, for another part leads there. */
export type PartName = TabName | "node";

const RunGraph = lazily(async () => (await import("./rungraph.tsx")).RunGraph);
const RunNodes = lazily(async () => (await import("./allnodes.tsx")).RunNodes);
const RunNode = lazily(async () => (await import("./nodepage.tsx")).RunNode);
const RunTimeline = lazily(async () => (await import("./timeline.tsx")).RunTimeline);

type Part = FunctionComponent<{ readonly view: RunView }>;

export const TABS: Readonly<Record<TabName, { readonly Part: Part }>> = {
  graph: { Part: RunGraph },
  overview: { Part: Overview },
  timeline: { Part: RunTimeline },
  nodes: { Part: RunNodes },
  jobs: { Part: RunJobs },
  log: { Part: RunLog },
  about: { Part: About },
};

export const RUN_PARTS: Readonly<Record<PartName, { readonly Part: Part }>> = { ...TABS, node: { Part: RunNode } };

/** The part that an address names; the first one where it names none. What earlier releases called the result is in the overview. */
export function partOf({ tab }: Route): PartName {
  if (tab === "") return "graph";
  return tab in RUN_PARTS ? (tab as PartName) : "overview";
}
