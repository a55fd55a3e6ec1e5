/**
 * Whether the sandboxed frame still answers: browsers run it in a process of its own, which a job that eats all memory
 * takes down, and no event says so.
 *
 * Knows moments only. Slow to judge: the frame's thread runs nothing but our own few lines.
 */

/** Milliseconds between questions. */
export const ASK_EVERY_MS = 2000;
/** So many questions in a row without an answer, */
const MISSED = 3;
/** and so long since the first of them: a tab that was frozen gets both at once. */
const SILENT_MS = 6000;

export class Pulse {
  private askedAt: number | undefined;
  private missed = 0;

  /** Before each question, at `now` milliseconds: true when the frame is taken for dead. */
  ask(now: number): boolean {
    if (this.askedAt === undefined) {
      this.askedAt = now;
      this.missed = 0;
      return false;
    }
    this.missed += 1;
    return this.missed >= MISSED && now - this.askedAt >= SILENT_MS;
  }

  answered(): void {
    this.askedAt = undefined;
  }
}
