/**
 * All probes in order, each to its finding. A probe that cannot run is no proof: it counts as open.
 */

import { LOOKS, type Look } from "./alone.ts";
import { DOORS, type Door, jobCode } from "./doors.ts";
import { type Lab, valueOf } from "./lab.ts";
import { type Described, type Finding, closed, open } from "./probe.ts";
import { TOGETHER } from "./together.ts";

export interface Probe extends Described {
  /** The job code, where one job is all. */
  readonly code?: string;
  readonly run: (lab: Lab) => Promise<Finding>;
}

interface Tried {
  readonly reached: string[];
  readonly why: string;
}

/** Is there something at this path of the page's global object? */
export function exists(path: string, from: unknown = globalThis): boolean {
  let at = from;
  for (const name of path.split(".")) {
    if (typeof at !== "object" && typeof at !== "function") return false;
    if (at === null || !(name in at)) return false;
    at = (at as Record<string, unknown>)[name];
  }
  return at !== undefined;
}

/** What the three ways through a door came to. */
export function found({ reached, why }: Tried, there: boolean): Finding {
  if (reached.length > 0) return open(`reached ${reached.join(", ")}`);
  return there ? closed(why) : { state: "absent", detail: why };
}

function ofDoor(door: Door): Probe {
  const code = jobCode(door.code);
  return {
    ...door,
    code,
    run: async (lab) => {
      const tried = valueOf(await lab.runAlone(code, location.host, location.origin)) as Tried;
      return found(tried, door.needs === undefined || exists(door.needs));
    },
  };
}

function ofLook(look: Look): Probe {
  return {
    ...look,
    run: async (lab) => {
      const heard = listen();
      const reached = valueOf(await lab.runAlone(look.code, location.host, location.origin)) as string[];
      // The frame answers only while it is where it was.
      await lab.runAlone("function weevil_main() { return 1 }");
      const all = [...reached, ...heard()];
      return all.length > 0 ? open(all.join(", ")) : closed("nothing was reached");
    },
  };
}

/** Messages that a job got through to the page, until the answer is called. */
function listen(): () => string[] {
  const heard: string[] = [];
  const hear = ({ data }: MessageEvent<unknown>): void => {
    if (typeof data === "object" && data !== null && "weevil" in data) heard.push("this page");
  };
  addEventListener("message", hear);
  return () => {
    removeEventListener("message", hear);
    return heard;
  };
}

export const PROBES: readonly Probe[] = [...DOORS.map(ofDoor), ...LOOKS.map(ofLook), ...TOGETHER];

/** Runs one probe; never throws. */
export async function findingOf(probe: Probe, lab: Lab): Promise<Finding> {
  try {
    return await probe.run(lab);
  } catch (problem) {
    return open(`the probe could not be run: ${String(problem)}`);
  }
}
