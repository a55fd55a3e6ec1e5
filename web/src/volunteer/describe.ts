/** A `Status` in words and figures: pure, so that every state's wording has a test. Never touches the DOM. */

import type { Status, WorkState } from "../api/types.gen.ts";

export type ButtonName = "start" | "pause" | "resume" | "stop" | "reload";

export interface Description {
  readonly sentence: string;
  readonly connection: string;
  readonly tone: "plain" | "good" | "busy" | "bad";
  readonly buttons: readonly ButtonName[];
  readonly done: string;
  readonly failed: string;
  readonly mflops: string;
  readonly busy: string;
  readonly current: string;
  readonly thanks: string;
}

interface Wording {
  readonly connection: string;
  readonly tone: Description["tone"];
  readonly buttons: readonly ButtonName[];
}

const WORDING: Readonly<Record<WorkState, Wording>> = {
  idle: { connection: "Not started", tone: "plain", buttons: ["start"] },
  connecting: { connection: "Connecting", tone: "busy", buttons: ["stop"] },
  waiting: { connection: "Connected", tone: "good", buttons: ["pause", "stop"] },
  working: { connection: "Connected", tone: "good", buttons: ["pause", "stop"] },
  paused: { connection: "Paused", tone: "busy", buttons: ["resume", "stop"] },
  stopped: { connection: "Not connected", tone: "plain", buttons: ["start"] },
  refused: { connection: "Not connected", tone: "bad", buttons: ["start"] },
  outdated: { connection: "Not connected", tone: "bad", buttons: ["reload"] },
};

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export function describe(status: Status): Description {
  return {
    ...WORDING[status.state],
    sentence: sentence(status),
    done: whole.format(status.done),
    failed: whole.format(status.failed),
    mflops: speed(status.mflops),
    busy: `${status.busy} of ${status.slots}`,
    current: current(status),
    thanks: thanks(status.done),
  };
}

/** `2 of 4 cores`. */
export function share(slots: number, cores: number): string {
  if (slots > cores) return `${slots} slots`;
  return `${slots} of ${cores} ${cores === 1 ? "core" : "cores"}`;
}

function sentence(status: Status): string {
  switch (status.state) {
    case "idle":
      return "Nothing is running.";
    case "connecting":
      return status.message ?? "Connecting to the server…";
    case "waiting":
      return "Ready. There is nothing to compute right now.";
    case "working":
      return status.workflow ? `Computing “${status.workflow}”.` : "Computing.";
    case "paused":
      return status.busy > 0 ? "Pausing: the jobs that run now end first." : "Paused. Nothing is running.";
    case "stopped":
      return status.message ?? "Stopped. Nothing is running any more.";
    case "refused":
      return status.message ?? "The server does not take work from this browser.";
    case "outdated":
      return "The server is newer than this page. Reload it to go on.";
  }
}

function current(status: Status): string {
  if (!status.source || status.state !== "working") return "";
  return status.workflow ? `Now: ${status.source} of ${status.workflow}` : `Now: ${status.source}`;
}

function speed(mflops: number): string {
  if (mflops <= 0) return "–";
  return mflops < 10 ? tenths.format(mflops) : whole.format(mflops);
}

function thanks(done: number): string {
  if (done === 0) return "";
  return `Thank you: this browser has done ${done === 1 ? "one job" : `${whole.format(done)} jobs`}.`;
}
