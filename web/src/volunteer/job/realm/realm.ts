/**
 * The realm of a job worker, made ready before any code of strangers: the clock, what is on the list, and nothing else.
 *
 * Owns the order in which that is done, `weevil` and the `console` of jobs. Never runs code of a job.
 */

import type { JobLog } from "../log.ts";
import { arrayIterator, defineProperty } from "../primordials.ts";
import { ALLOWED } from "./allowed.ts";
import type { Memories } from "./memories.ts";
import { shut } from "./shut.ts";
import type { Stillness } from "./still.ts";
import { type JobClock, tellTime } from "./time.ts";

export interface JobGlobals {
  readonly random: () => number;
  readonly flops: (count: unknown) => void;
  readonly progress: (done: unknown) => void;
  readonly log: Pick<JobLog, "log" | "warn" | "error">;
}

export interface Guards {
  readonly clock: JobClock;
  readonly still: Stillness;
  readonly memories: Memories;
}

/** Jobs find a console that tells the server; the volunteer's own stays calm, and out of their reach. */
export function relayConsole(realm: { console: object }, { log, warn, error }: JobGlobals["log"]): void {
  const silent = (ALLOWED.get("console") ?? []).map((name) => [name, () => undefined] as const);
  const relay = { ...Object.fromEntries(silent), log, info: log, debug: log, warn, error };
  defineProperty(realm, "console", { value: relay, writable: true, configurable: true });
}

/**
 * Pins what the runtime's own lists and promises go through, and job code has no reason to change: arrays are gone
 * through when buffers change hands, `await` reads `constructor` off a promise, and what waits for the GPU calls `then`.
 */
function pin({ Promise: built }: typeof globalThis): void {
  Object.freeze(arrayIterator);
  const { then } = built.prototype;
  defineProperty(built.prototype, "constructor", { value: built, writable: false, configurable: false });
  defineProperty(built.prototype, "then", { value: then, writable: false, configurable: false });
  defineProperty(built, Symbol.species, { configurable: false });
}

/** Sets up what the language of jobs promises, and shuts everything else out. */
export function prepareRealm(realm: typeof globalThis, { clock, still, memories }: Guards, globals: JobGlobals): void {
  pin(realm);
  tellTime(realm, clock);
  realm.Math.random = globals.random;
  relayConsole(realm, globals.log);
  const weevil = Object.freeze({ flops: globals.flops, progress: globals.progress, log: globals.log.log });
  defineProperty(realm, "weevil", { value: weevil, enumerable: true });
  shut(realm);
  memories.guard(realm);
  still.guard(realm);
}
