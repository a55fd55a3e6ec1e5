/**
 * The ledger where it is stored: in this browser, for nobody else. Every write reads first what other tabs have written.
 *
 * A storage that is full, switched off or in disorder is never an error: what cannot be written lasts as long as the page, and
 * what cannot be read is set aside.
 */

import { KEY } from "./key.ts";
import { EMPTY, type Ledger, type Sums, merge } from "./ledger.ts";
import { MAX_BYTES, read, write } from "./text.ts";

/** The latest text that could not be read, or not all of it. */
export const ASIDE_KEY = `${KEY}.aside`;

export class Book {
  private readonly storage: () => Storage;
  /** What is not written yet. */
  private pending: Ledger = EMPTY;
  /** The last write went wrong. */
  private refused = false;
  /** What was read last: it is decoded once. */
  private known: { readonly text: string; readonly ledger: Ledger } | undefined;

  constructor(storage: () => Storage) {
    this.storage = storage;
  }

  add(day: number, sums: Sums, aims: readonly string[]): void {
    this.pending = merge(this.pending, { days: [{ day, ...sums, aims }], before: EMPTY.before });
  }

  /** What is stored, and what is not yet. */
  get ledger(): Ledger {
    return merge(this.stored(), this.pending);
  }

  /** The storage takes nothing: what comes lasts as long as this page. */
  get isFleeting(): boolean {
    return this.refused;
  }

  get hasSetAside(): boolean {
    return this.try((storage) => storage.getItem(ASIDE_KEY) !== null) ?? false;
  }

  save(): void {
    if (this.pending.days.length === 0) return;
    const written = this.try((storage) => {
      storage.setItem(KEY, write(this.ledger));
      return true;
    });
    this.refused = written !== true;
    if (written === true) this.pending = EMPTY;
  }

  /** Nothing is left, here or aside. */
  forget(): void {
    this.pending = EMPTY;
    this.try((storage) => {
      storage.removeItem(KEY);
      storage.removeItem(ASIDE_KEY);
    });
  }

  private stored(): Ledger {
    const text = this.try((storage) => storage.getItem(KEY)) ?? undefined;
    if (text === undefined) return EMPTY;
    if (this.known?.text === text) return this.known.ledger;
    const { ledger, intact } = read(text);
    if (!intact) this.setAside(text, ledger);
    this.known = { text, ledger };
    return ledger;
  }

  /** What could be read stays in its place. A text of ours is never longer than what is kept of this one. */
  private setAside(text: string, readable: Ledger): void {
    this.try((storage) => {
      storage.setItem(ASIDE_KEY, text.slice(0, MAX_BYTES));
      storage.setItem(KEY, write(readable));
    });
  }

  private try<T>(act: (storage: Storage) => T): T | undefined {
    try {
      return act(this.storage());
    } catch {
      return undefined;
    }
  }
}
