/**
 * The clock that jobs see: a coarse one, or for deterministic jobs one that stands still, so that two volunteers are
 * told the same time.
 *
 * Changes the realm's `Date` between jobs, and for good what tells parts of a millisecond: with a fine clock code can
 * look into what runs beside it. The runtime keeps its own way to the real clock. Does not touch time zones: local time
 * stays that of the volunteer.
 */

import { defineProperty, getterOf, prototypeOf } from "./primordials.ts";

/** Milliseconds that jobs' clocks go in. */
export const STEP_MS = 1;

/** 2013-01-01T00:00:00Z, the year of the first WeevilScout. */
const MOMENT_MS = 1356998400000;

const RealDate = Date;
const realNow = Date.now;
const floor = Math.floor;
const construct = Reflect.construct;
const describe = Function.prototype.call.bind(Date.prototype.toString) as (date: Date) => string;

/** As `Date`, but that "now" is always the same moment. */
function FrozenDate(...args: unknown[]): string | Date {
  if (new.target === undefined) return describe(new RealDate(MOMENT_MS));
  return construct(RealDate, args.length === 0 ? [MOMENT_MS] : args, new.target) as Date;
}

const frozenNow = (): number => MOMENT_MS;

FrozenDate.prototype = RealDate.prototype;
Object.assign(FrozenDate, { now: frozenNow, parse: RealDate.parse, UTC: RealDate.UTC });
defineProperty(FrozenDate, "name", { value: "Date" });
defineProperty(FrozenDate, "length", { value: RealDate.length });

function set(target: object, name: string, value: unknown): void {
  defineProperty(target, name, { __proto__: null, value, writable: true, configurable: true } as PropertyDescriptor);
}

/** Stops the realm's clock, or lets it go on. Never tells parts of a step. */
export class JobClock {
  private readonly realm: typeof globalThis;
  private frozen = false;

  constructor(realm: typeof globalThis) {
    this.realm = realm;
    const { performance, Event } = realm;
    const fineNow = performance.now.bind(performance);
    const stampOf = getterOf<Event, number>(Event.prototype, "timeStamp");
    const coarse = (ms: number): number => (this.frozen ? 0 : floor(ms / STEP_MS) * STEP_MS);
    // On the prototypes: what they had is nowhere else to be found.
    set(prototypeOf(performance) ?? performance, "now", () => coarse(fineNow()));
    defineProperty(Event.prototype, "timeStamp", {
      configurable: true,
      enumerable: true,
      get(this: Event) {
        return coarse(stampOf(this));
      },
    });
  }

  readonly freeze = (frozen: boolean): void => {
    if (frozen === this.frozen) return;
    this.frozen = frozen;
    const date = frozen ? FrozenDate : RealDate;
    set(this.realm, "Date", date);
    // Code that has kept the real one, or asks a date for its constructor, is told the same.
    set(RealDate, "now", frozen ? frozenNow : realNow);
    set(RealDate.prototype, "constructor", date);
  };
}
