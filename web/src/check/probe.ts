/**
 * What a probe is: something that job code must not be able to do, and what came of trying. Runs nothing.
 */

import type { ProbeId } from "./words/en.ts";

/** `absent`: the browser does not even have it. */
export type State = "closed" | "open" | "absent";

export interface Finding {
  readonly state: State;
  /** What stopped it, or what was reached. */
  readonly detail: string;
}

export interface Described {
  /** Stable name, for tests and for its texts. */
  readonly id: ProbeId;
}

export function closed(detail: string): Finding {
  return { state: "closed", detail };
}

export function open(detail: string): Finding {
  return { state: "open", detail };
}

export type Verdict = "closed" | "open";

/** One open door, or not a single probe that ran, spoils the whole. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  const anyClosed = findings.some((finding) => finding.state === "closed");
  return anyClosed && findings.every((finding) => finding.state !== "open") ? "closed" : "open";
}
