/**
 * What is behind `weevil.log` and the `console` of jobs: lines of the job running now, told to the coordinator at once, so
 * that a job which never ends has told them, too.
 *
 * Bounded in characters and lines; what is beyond costs a count. Never writes to the console of the volunteer's browser.
 */

import type { SlotReport } from "../../api/types.gen.ts";
import { bare } from "./primordials.ts";
import { cut, lineOf } from "./shown.ts";

/** The same as `MAX_LOG_LINE_CHARS` in crates/model/src/limits.rs. */
export const MAX_LINE_CHARS = 1000;
/** The same as `MAX_LOG_LINES` there. */
export const MAX_LINES = 100;

export class JobLog {
  private readonly post: (report: SlotReport) => void;
  private seq = 0;
  /** Lines that the job has logged, and those of them that were left out and told of. */
  private logged = 0;
  private toldLeftOut = 0;
  /** Lines of this call of the job's function: a GPU job's is called again from the start. */
  private at = 0;
  /** Lines between two jobs are nobody's. */
  private closed = true;
  private busy = false;

  constructor(post: (report: SlotReport) => void) {
    this.post = post;
  }

  /** From here on it is this job that logs. */
  begin(seq: number): void {
    this.seq = seq;
    this.closed = false;
    this.logged = 0;
    this.toldLeftOut = 0;
    this.at = 0;
  }

  /** Where the job is, to call it again from here. */
  mark(): number {
    return this.at;
  }

  /** What follows was logged before, as far as the job had come. */
  replay(mark: number): void {
    this.at = mark;
  }

  /** The job has ended: how many lines were left out is told exactly. */
  end(): void {
    this.closed = true;
    if (this.logged - MAX_LINES > this.toldLeftOut) this.tellLeftOut();
  }

  /** May one more line be sent? One that may not is counted. */
  admits(): boolean {
    if (this.closed || this.at++ < this.logged) return false;
    this.logged++;
    if (this.logged <= MAX_LINES) return true;
    // Told as often as the number doubles: a job that is terminated has no end to tell it at.
    if (this.logged - MAX_LINES >= 2 * this.toldLeftOut) this.tellLeftOut();
    return false;
  }

  /** A line that was admitted. */
  send(text: string): void {
    this.post(bare({ kind: "log", seq: this.seq, text: cut(text, MAX_LINE_CHARS) }));
  }

  readonly log = (...values: unknown[]): void => {
    this.say("", values);
  };

  readonly warn = (...values: unknown[]): void => {
    this.say("warn: ", values);
  };

  readonly error = (...values: unknown[]): void => {
    this.say("error: ", values);
  };

  private say(start: string, values: readonly unknown[]): void {
    // What a trap logs while its Proxy is put into words has no line of its own.
    if (this.busy || !this.admits()) return;
    this.busy = true;
    try {
      this.send(lineOf(start, values, MAX_LINE_CHARS));
    } finally {
      this.busy = false;
    }
  }

  private tellLeftOut(): void {
    this.toldLeftOut = this.logged - MAX_LINES;
    this.post(bare({ kind: "leftOut", seq: this.seq, lines: this.toldLeftOut }));
  }
}
