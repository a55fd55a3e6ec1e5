/** The parts of a run's page, each with its name in the address. Another part is another row. */

import type { FunctionComponent } from "preact";
import type { RunView } from "../../../api/types.gen.ts";
import { lazily } from "../../parts/lazy.tsx";
import { RUN } from "../../words/run.ts";
import { About } from "./about.tsx";
import { RunJobs } from "./jobs.tsx";
import { RunLog } from "./log.tsx";
import { Overview } from "./overview.tsx";
import { RunTimeline } from "./timeline.tsx";

export type TabName = keyof typeof RUN.tabs;

const RunGraph = lazily(async () => (await import("./rungraph.tsx")).RunGraph);
const RunNodes = lazily(async () => (await import("./allnodes.tsx")).RunNodes);

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

/** The part that an address names; the first one where it names none. What earlier releases called the result is in the overview. */
export function tabOf(name: string): TabName {
  if (name === "") return "graph";
  return name in TABS ? (name as TabName) : "overview";
}
