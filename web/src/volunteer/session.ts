/**
 * From wishes and reasons to commands for the coordinator: the volunteer's own Pause wins over all, then the manners.
 * Knows neither the DOM nor why there is a reason.
 */

import type { PageCommand, WorkState } from "../api/types.gen.ts";
import type { Budget } from "./choices.ts";
import type { Reason } from "./manners/reasons.ts";

const ENDS: readonly WorkState[] = ["stopped", "refused", "outdated"];

/** Nothing more is told of a start that has come to this. */
export function isEnd(state: WorkState): boolean {
  return ENDS.includes(state);
}

export interface Server {
  /** `ws://host:port`. */
  readonly origin: string;
  /** The browser's name. */
  readonly agent: string;
}

export class Session {
  /** From Start until the coordinator says that it has ended. */
  running = false;
  /** The volunteer pressed Pause. */
  ownPause = false;
  reason: Reason | undefined;
  private paused = false;
  /** The coordinator has heard of this start: an end that it tells from here on is this one's. */
  private alive = false;
  private readonly server: Server;
  private readonly send: (command: PageCommand) => void;

  constructor(server: Server, send: (command: PageCommand) => void) {
    this.server = server;
    this.send = send;
  }

  start({ slots, duty }: Budget): void {
    this.running = true;
    this.alive = this.paused = this.ownPause = false;
    this.send({ kind: "setDuty", percent: duty });
    this.send({ kind: "start", ...this.server, slots });
    this.hold();
  }

  pause(): void {
    this.ownPause = true;
    this.hold();
  }

  resume(): void {
    this.ownPause = false;
    this.hold();
  }

  /** The manners say why to pause now, if at all. Answers whether that is news. */
  mind(reason: Reason | undefined): boolean {
    const news = this.reason !== reason;
    this.reason = reason;
    this.hold();
    return news;
  }

  setBudget({ slots, duty }: Budget): void {
    if (!this.running) return;
    this.send({ kind: "setDuty", percent: duty });
    this.send({ kind: "setSlots", slots });
  }

  finish(): void {
    this.send({ kind: "finish" });
  }

  stop(): void {
    this.send({ kind: "stop" });
  }

  /** Takes what the coordinator says. False when it is not about this start. */
  hear(state: WorkState): boolean {
    if (!this.running) return false;
    const end = isEnd(state);
    this.alive ||= !end && state !== "idle";
    if (end && this.alive) this.running = false;
    return this.alive;
  }

  private hold(): void {
    const wanted = this.ownPause || this.reason !== undefined;
    if (!this.running || wanted === this.paused) return;
    this.paused = wanted;
    this.send({ kind: wanted ? "pause" : "resume" });
  }
}
