/**
 * The timers of jobs: all of them pass through one table, so that none rings after its job.
 *
 * Clears what it has set, and nothing else: the runtime's own timers have numbers, too.
 */

import { addTo, apply, forEachIn, isIn, removeFrom, toText } from "../primordials.ts";

/** What jobs find under the names of the browser's functions. */
export interface TimerNames {
  readonly setTimeout: (handler: unknown, ms?: unknown, ...args: unknown[]) => number;
  readonly setInterval: (handler: unknown, ms?: unknown, ...args: unknown[]) => number;
  readonly clearTimeout: (id?: unknown) => void;
  readonly clearInterval: (id?: unknown) => void;
}

type Set1 = (call: () => void, ms: unknown) => number;
type Realm = Pick<typeof globalThis, "setTimeout" | "setInterval" | "clearTimeout" | "eval">;

export class Timers {
  readonly names: TimerNames;
  private readonly set = new Set<number>();
  private readonly clear: (id: number) => void;
  private closed = false;

  /** `reads` is shown a text before it is evaluated. */
  constructor(realm: Realm, reads: (text: string) => void) {
    const evaluate = realm.eval;
    this.clear = realm.clearTimeout.bind(realm) as (id: number) => void;
    const calls = (handler: unknown, args: unknown[]): (() => void) => {
      if (typeof handler === "function") return () => void apply(handler as () => void, realm, args as []);
      const text = toText(handler);
      reads(text);
      return () => void evaluate(text);
    };
    const setter =
      (real: Set1, once: boolean) =>
      (handler: unknown, ms?: unknown, ...args: unknown[]): number => {
        const call = calls(handler, args);
        if (this.closed) return 0;
        const id = real(() => {
          if (once) removeFrom(this.set, id);
          call();
        }, ms);
        addTo(this.set, id);
        return id;
      };
    const clearer = (id?: unknown): void => {
      const number = Number(id);
      if (isIn(this.set, number)) this.end(number);
    };
    this.names = {
      setTimeout: setter(realm.setTimeout.bind(realm) as unknown as Set1, true),
      setInterval: setter(realm.setInterval.bind(realm) as unknown as Set1, false),
      clearTimeout: (id) => {
        clearer(id);
      },
      clearInterval: (id) => {
        clearer(id);
      },
    };
  }

  /** From here on new ones ring. */
  open(): void {
    this.closed = false;
  }

  /** Ends all of them; until `open` no other one is set. */
  close(): void {
    this.closed = true;
    forEachIn(this.set, (id) => {
      this.end(id);
    });
  }

  private end(id: number): void {
    this.clear(id);
    removeFrom(this.set, id);
  }
}
