/**
 * What all tabs want together. Pure.
 *
 * Owns who wants what. Never sends anything.
 */

/** The server's bound on the topics of one stream. */
export const MOST_TOPICS = 16;
/** A tab that was not heard of for so long has gone without a word. Browsers let timers of hidden tabs run once a minute. */
export const SILENT_MS = 150_000;

interface Known {
  readonly topics: readonly string[];
  readonly heardAt: number;
}

export class Wants<Tab> {
  readonly #tabs = new Map<Tab, Known>();

  want(tab: Tab, topics: readonly string[], now: number): void {
    // What was wanted last comes first where there is not room for all.
    this.#tabs.delete(tab);
    this.#tabs.set(tab, { topics, heardAt: now });
  }

  heard(tab: Tab, now: number): void {
    const known = this.#tabs.get(tab);
    if (known !== undefined) this.#tabs.set(tab, { ...known, heardAt: now });
  }

  forget(tab: Tab): void {
    this.#tabs.delete(tab);
  }

  /** Forgets tabs that have gone without a word. */
  sweep(now: number): void {
    for (const [tab, { heardAt }] of this.#tabs) if (now - heardAt > SILENT_MS) this.#tabs.delete(tab);
  }

  tabs(): readonly Tab[] {
    return [...this.#tabs.keys()];
  }

  /** Those that want this topic. */
  of(topic: string): readonly Tab[] {
    return this.tabs().filter((tab) => this.#tabs.get(tab)?.topics.includes(topic));
  }

  /** As many as a stream has, in order of their names. */
  union(): readonly string[] {
    const newestFirst = [...this.#tabs.values()].toReversed().flatMap(({ topics }) => topics);
    return [...new Set(newestFirst)].slice(0, MOST_TOPICS).sort();
  }
}
