/** A situation in words and figures: pure, so that every state's wording has a test. Never touches the DOM. */

import type { AimView, Status, WorkState } from "../api/types.gen.ts";
import type { Reason } from "./manners/reasons.ts";
import type { Word, Words } from "./words/words.ts";

export type ButtonName = "start" | "pause" | "resume" | "finish" | "stop" | "reload";

/** The coordinator's states, and those that only the page knows. */
export type PageState = WorkState | "elsewhere" | "notLoaded";

/** All that the page shows. */
export interface Situation {
  readonly state: PageState;
  readonly status: Status;
  /** The volunteer pressed Pause. */
  readonly ownPause: boolean;
  readonly reason: Reason | undefined;
  /** Since Start. */
  readonly uptimeMs: number;
  /** What the work is for, where that is known. */
  readonly aim: AimView | undefined;
}

export interface Description {
  readonly sentence: string;
  /** When the next try is; apart from the sentence, which is read aloud whenever it changes. */
  readonly retry: string;
  /** The server's own words, where there are some. */
  readonly detail: string;
  readonly connection: string;
  readonly tone: "plain" | "good" | "busy" | "bad";
  readonly buttons: readonly ButtonName[];
  readonly done: string;
  readonly waiting: string;
  readonly failed: string;
  readonly mflops: string;
  readonly busy: string;
  readonly uptime: string;
  readonly current: string;
  readonly thanks: string;
}

interface Wording {
  readonly connection: Word;
  readonly tone: Description["tone"];
  readonly buttons: readonly ButtonName[];
}

const WORDING: Readonly<Record<PageState, Wording>> = {
  idle: { connection: "linkIdle", tone: "plain", buttons: ["start"] },
  connecting: { connection: "linkConnecting", tone: "busy", buttons: ["stop"] },
  waiting: { connection: "linkUp", tone: "good", buttons: ["pause", "finish", "stop"] },
  working: { connection: "linkUp", tone: "good", buttons: ["pause", "finish", "stop"] },
  paused: { connection: "linkPaused", tone: "busy", buttons: ["resume", "stop"] },
  finishing: { connection: "linkFinishing", tone: "busy", buttons: ["stop"] },
  stopped: { connection: "linkDown", tone: "plain", buttons: ["start"] },
  refused: { connection: "linkDown", tone: "bad", buttons: ["start"] },
  outdated: { connection: "linkDown", tone: "bad", buttons: ["reload"] },
  elsewhere: { connection: "linkElsewhere", tone: "plain", buttons: ["stop"] },
  notLoaded: { connection: "linkDown", tone: "bad", buttons: ["reload"] },
};

const REASON_WORDS: Readonly<Record<Reason, Word>> = {
  battery: "pausedBattery",
  saveData: "pausedSaveData",
  hidden: "pausedHidden",
  pressure: "pausedPressure",
};

export function describe(situation: Situation, words: Words): Description {
  const { state, status } = situation;
  const { connection, tone, buttons } = WORDING[state];
  return {
    sentence: sentence(situation, words),
    retry: retry(situation, words),
    detail: status.message ?? "",
    connection: words.say(connection),
    tone,
    // Nothing of the volunteer's can be resumed while it pauses by itself.
    buttons: state === "paused" && !situation.ownPause ? ["pause", "stop"] : buttons,
    done: words.count(status.done),
    waiting: words.count(status.waiting),
    failed: words.count(status.failed),
    mflops: words.speed(status.mflops),
    busy: words.say("busyOf", { busy: status.busy, slots: status.slots }),
    uptime: clock(situation.uptimeMs),
    current: current(situation, words),
    thanks: thanks(status.done, words),
  };
}

/** `2 of 4`. */
export function share(slots: number, cores: number, words: Words): string {
  return words.say(slots > cores ? "slotsOnly" : "coresOf", { slots, cores });
}

/** `1:02:03`, the same in every language. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function sentence(situation: Situation, words: Words): string {
  const { state, status } = situation;
  switch (state) {
    case "connecting":
      return words.say(status.retryMs === null ? "connecting" : "lost");
    case "working":
      return status.workflow ? words.say("workingOn", { workflow: status.workflow }) : words.say("working");
    case "paused":
      return words.say(paused(situation));
    default:
      return words.say(state);
  }
}

function retry({ state, status }: Situation, words: Words): string {
  if (state !== "connecting" || status.retryMs === null) return "";
  return words.say("retryIn", { seconds: Math.ceil(status.retryMs / 1000) });
}

function paused({ ownPause, reason, status }: Situation): Word {
  if (!ownPause && reason !== undefined) return REASON_WORDS[reason];
  return status.busy > 0 ? "pausing" : "paused";
}

function current({ state, status }: Situation, words: Words): string {
  const { source, workflow } = status;
  if (!source || state !== "working") return "";
  return workflow ? words.say("nowOf", { source, workflow }) : words.say("now", { source });
}

function thanks(done: number, words: Words): string {
  if (done === 0) return "";
  return done === 1 ? words.say("thanksOne") : words.say("thanksMany", { done: words.count(done) });
}
