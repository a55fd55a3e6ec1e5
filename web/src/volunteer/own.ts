/**
 * Fetches what keeps and shows this browser's own work, once there is some: a first visit does without it until it computes.
 *
 * Keeps what is told meanwhile. The work goes on just the same where that part cannot be had.
 */

import type { Status } from "../api/types.gen.ts";
import { KEY } from "./contribution/key.ts";
import type { Heard, Part } from "./contribution/part.ts";
import type { Situation } from "./describe.ts";
import { isEnd } from "./session.ts";
import type { Language } from "./words/words.ts";

/** The first jobs come first: so long after they were seen this part may load. */
const FIRST_MS = 1000;
/** A status comes once a second: so much is kept while the part is on its way. */
const MOST_HEARD = 600;

export class OwnWork {
  private part: Part | undefined;
  private asked = false;
  private heard: Heard[] = [];
  /** When there was work first. */
  private workedAt = Infinity;
  private latest: Situation | undefined;
  private language: Language;

  constructor(language: Language) {
    this.language = language;
  }

  /** Something was kept by an earlier visit. */
  recall(storage: () => Storage): void {
    try {
      if (storage().getItem(KEY) !== null) this.fetch();
    } catch {
      return;
    }
  }

  /** Takes each status once. */
  hear(status: Status): void {
    const heard = { status, date: Date.now(), now: performance.now() };
    if (this.part !== undefined) this.part.hear(heard);
    else {
      this.heard = [...this.heard.slice(1 - MOST_HEARD), heard];
      if (status.busy > 0 || status.ended.length > 0) this.workedAt = Math.min(this.workedAt, heard.now);
      const isLast = isEnd(status.state) && this.workedAt < Infinity;
      if (isLast || heard.now - this.workedAt >= FIRST_MS) this.fetch();
    }
  }

  show(situation: Situation): void {
    this.latest = situation;
    this.part?.show(situation);
  }

  speak(language: Language): void {
    this.language = language;
    this.part?.speak(language);
  }

  private fetch(): void {
    if (this.asked) return;
    this.asked = true;
    import("./contribution/part.ts").then(
      ({ Part: Loaded }) => this.begin(new Loaded(this.language)),
      // Asked for again with a later status.
      () => (this.asked = false),
    );
  }

  private begin(part: Part): void {
    this.part = part;
    if (this.latest !== undefined) part.show(this.latest);
    for (const heard of this.heard) part.hear(heard);
    this.heard = [];
  }
}
