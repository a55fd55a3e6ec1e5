/**
 * Writes into the book what the coordinator says has ended: at once the first time and the last, every few seconds in between.
 *
 * A job counts on the day on which it ends, as this page's calendar says when it hears of it. Owns no storage and no clock.
 */

import type { EndedAttempts } from "../../api/types.gen.ts";
import type { Book } from "./book.ts";
import { dayOf } from "./days.ts";
import { NOTHING, shortName } from "./ledger.ts";

export const SAVE_EVERY_MS = 5000;
/** Projects that are remembered: the jobs of some runs may come in turns. */
const MOST_PROJECTS = 8;

export interface Moment {
  /** Milliseconds since the epoch, which a person may set back. */
  readonly date: number;
  /** Milliseconds of a clock that only grows. */
  readonly now: number;
}

export class Recorder {
  private readonly book: Book;
  private savedAt = -Infinity;
  private readonly projects = new Map<string, string>();
  /** Days and workflows whose aims are not in the book yet: a project's name may come after its first jobs have ended. */
  private unnamed: { day: number; hash: string; name: string }[] = [];

  constructor(book: Book) {
    this.book = book;
  }

  /** The workflow with this hash is for this project. */
  know(hash: string, project: string): void {
    this.projects.delete(hash);
    this.projects.set(hash, project);
    for (const oldest of this.projects.keys()) {
      if (this.projects.size <= MOST_PROJECTS) break;
      this.projects.delete(oldest);
    }
  }

  /** Nothing follows what is the last. Answers whether the book was written. */
  hear(ended: readonly EndedAttempts[], { date, now }: Moment, isLast: boolean): boolean {
    const day = dayOf(date);
    for (const { workflow, workflowHash, done, computeMs, flops } of ended) {
      this.book.add(day, { jobs: done, ms: computeMs, flops }, []);
      if (this.unnamed.every((known) => known.day !== day || known.hash !== workflowHash)) {
        this.unnamed.push({ day, hash: workflowHash, name: workflow });
      }
    }
    const isDue = isLast || now - this.savedAt >= SAVE_EVERY_MS;
    if (this.unnamed.length === 0 || !isDue) return false;
    this.save(now);
    return true;
  }

  /** The page may go away without another word. */
  save(now: number): void {
    for (const { day, hash, name } of this.unnamed) this.book.add(day, NOTHING, [shortName(this.projects.get(hash) ?? name)]);
    this.unnamed = [];
    this.savedAt = now;
    this.book.save();
  }

  forget(): void {
    this.unnamed = [];
    this.book.forget();
  }
}
