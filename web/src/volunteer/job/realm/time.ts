/**
 * The time that jobs are told: the same zone and language for everybody, in steps of a millisecond or standing still.
 *
 * Local time is UTC, the default language is `en`, a text without a zone is read as UTC; a zone or a language that is
 * named works as ever. Changes the realm once, before strangers' code; the runtime keeps its own way to the fine clock.
 */

import { apply, construct, defineProperty, getterOf, ownKeys, ownProperty } from "../primordials.ts";

/** Milliseconds that jobs' clocks go in. */
export const STEP_MS = 1;
/** 2013-01-01T00:00:00Z, the year of the first WeevilScout: when deterministic jobs run. */
export const MOMENT_MS = 1356998400000;
const LANGUAGE = "en";

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Holder = Record<PropertyKey, unknown>;

const floor = Math.floor;
const coarse = (ms: number): number => floor(ms / STEP_MS) * STEP_MS;

/** What jobs are told of the time: it goes on, or stands still for good once `stand` was called. */
export class JobClock {
  private readonly dateNow: () => number;
  private readonly fine: () => number;
  private readonly begun: number;
  private standing = false;

  constructor({ Date: { now }, performance }: typeof globalThis) {
    this.dateNow = now;
    this.fine = performance.now.bind(performance);
    this.begun = performance.timeOrigin;
  }

  stand(): void {
    this.standing = true;
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => (this.standing ? MOMENT_MS : this.dateNow());

  /** Whole milliseconds since the job worker began. */
  readonly since = (): number => this.coarse(this.fine());

  /** What a finer clock said, as jobs may know it. */
  readonly coarse = (ms: number): number => (this.standing ? 0 : coarse(ms));

  /** When `since` was 0, in whole milliseconds since 1970. */
  origin(): number {
    return this.standing ? MOMENT_MS : coarse(this.begun);
  }
}

function put(target: object, name: PropertyKey, value: unknown): void {
  const before = ownProperty(target, name);
  defineProperty(target, name, { value, writable: true, configurable: true, enumerable: before?.enumerable ?? false });
}

/** Puts `make(old)` in the place of a method, under its name. */
function wrap(holder: object | undefined, name: PropertyKey, make: (old: Method) => Method): void {
  const old = holder === undefined ? undefined : ownProperty(holder, name)?.value;
  if (typeof old === "function") put(holder as object, name, make(old as Method));
}

/** `locales` with a language at their end that every engine has, so that none falls back to the volunteer's. */
type Spoken = (locales: unknown) => unknown;

function speaker({ getCanonicalLocales }: typeof Intl): Spoken {
  return (locales) => (locales === undefined ? LANGUAGE : [...getCanonicalLocales(locales as string), LANGUAGE]);
}

/** Options whose zone is UTC unless they name one. */
function zoned(options: unknown): unknown {
  if (options === undefined) return { timeZone: "UTC" };
  if (typeof options !== "object" || options === null) return options;
  const copy = Object.create(options) as Holder;
  if (copy["timeZone"] === undefined) defineProperty(copy, "timeZone", { value: "UTC", enumerable: true });
  return copy;
}

/** ECMAScript's own form without a zone, which is local time there. */
const LOCAL_ISO = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?$/;
/** A zone in any other form: a name, an offset behind a time, or a word in parentheses. */
const ZONE = /\b(?:UTC?|GMT|[ECMP][SD]T)\b|\d\s*Z\b|:\d\d(?:\.\d+)?\s*[+-]\s*\d|\(/i;
/** A date alone, which is UTC already. */
const DAY = /^(?:\d{4}|[+-]\d{6})(?:-\d\d){0,2}$/;

/** `Date.parse` for volunteers in Greenwich. */
function parser(parse: (text: string) => number): (text: unknown) => number {
  return (given) => {
    const text = String(given);
    if (LOCAL_ISO.test(text)) return parse(`${text}Z`);
    return DAY.test(text) || ZONE.test(text) ? parse(text) : parse(`${text} UTC`);
  };
}

const LOCAL_PARTS = ["Date", "Day", "FullYear", "Hours", "Milliseconds", "Minutes", "Month", "Seconds"] as const;

/** Local time is UTC: the methods are those of UTC. */
function localIsUtc(prototype: Date & Holder): void {
  for (const part of LOCAL_PARTS) {
    put(prototype, `get${part}`, prototype[`getUTC${part}`]);
    if (part !== "Day") put(prototype, `set${part}`, prototype[`setUTC${part}`]);
  }
  const { getUTCFullYear, setUTCFullYear, toUTCString, getTime } = prototype;
  const dayOf = (date: Date): string => {
    const [name, day, month, ...rest] = apply(toUTCString, date, []).split(" ");
    return `${name?.slice(0, -1)} ${month} ${day} ${rest[0]}`;
  };
  const timeOf = (date: Date): string => {
    const parts = apply(toUTCString, date, []).split(" ");
    return `${parts[parts.length - 2]} GMT+0000 (Coordinated Universal Time)`;
  };
  const said = (text: (date: Date) => string): Method =>
    function (this: unknown) {
      const date = this as Date;
      return Number.isNaN(apply(getTime, date, [])) ? "Invalid Date" : text(date);
    };
  const methods: Record<string, Method> = {
    toString: said((date) => `${dayOf(date)} ${timeOf(date)}`),
    toDateString: said(dayOf),
    toTimeString: said(timeOf),
    getTimezoneOffset(this: unknown) {
      return Number.isNaN(apply(getTime, this as Date, [])) ? NaN : 0;
    },
    getYear(this: unknown) {
      return apply(getUTCFullYear, this as Date, []) - 1900;
    },
    setYear(this: unknown, given: unknown) {
      const year = Math.trunc(Number(given));
      return apply(setUTCFullYear, this as Date, [year >= 0 && year <= 99 ? 1900 + year : year]);
    },
  };
  for (const name of ownKeys(methods)) put(prototype, name, methods[name as string]);
}

/** As `Date`, in UTC, told the time by `now`. */
function dateOf(Real: DateConstructor, now: () => number): DateConstructor {
  const parse = parser(Real.parse);
  const { UTC } = Real;
  const { toString } = Real.prototype;
  const timeOf = getTimeOf(Real);
  const moment = (args: unknown[]): number => {
    if (args.length === 0) return now();
    if (args.length > 1) return apply(UTC as Method, undefined, args) as number;
    const [given] = args;
    const time = timeOf(given);
    if (time !== undefined) return time;
    const plain = typeof given === "object" && given !== null ? primitive(given) : given;
    return typeof plain === "string" ? parse(plain) : Number(plain);
  };
  function Told(...args: unknown[]): string | Date {
    if (new.target === undefined) return apply(toString, new Real(now()), []);
    return construct(Real, [moment(args)], new.target) as Date;
  }
  Told.prototype = Real.prototype;
  defineProperty(Told, "prototype", { writable: false });
  for (const [name, value] of Object.entries({ now, parse, UTC })) put(Told, name, value);
  defineProperty(Told, "name", { value: "Date" });
  defineProperty(Told, "length", { value: Real.length });
  put(Real.prototype, "constructor", Told);
  return Told as unknown as DateConstructor;
}

/** The time inside a date of any realm's; nothing where it is no date. */
function getTimeOf({ prototype }: DateConstructor): (value: unknown) => number | undefined {
  const { getTime } = prototype;
  return (value) => {
    try {
      return apply(getTime, value as Date, []);
    } catch {
      return undefined;
    }
  };
}

/** What `new Date` makes of an object before it looks at its kind. */
function primitive(value: object): unknown {
  const convert = (value as { [Symbol.toPrimitive]?: unknown })[Symbol.toPrimitive];
  if (typeof convert === "function") return apply(convert as Method, value, ["default"]);
  for (const name of ["valueOf", "toString"] as const) {
    const plain = value[name]() as unknown;
    if (typeof plain !== "object" || plain === null) return plain;
  }
  throw new TypeError("Cannot convert object to primitive value");
}

/** Everything that goes by the volunteer's language or zone where nobody names one. */
function sameEverywhere(realm: typeof globalThis): void {
  const { Intl } = realm as unknown as { Intl: Holder };
  const spoken = speaker(realm.Intl);
  for (const name of ownKeys(Intl)) {
    const Real = Intl[name] as (new (...args: unknown[]) => unknown) & { prototype: object };
    if (typeof Real !== "function" || name === "Locale" || !("prototype" in Real)) continue;
    const settled = (args: unknown[]): unknown[] => [spoken(args[0]), name === "DateTimeFormat" ? zoned(args[1]) : args[1]];
    const Told = new Proxy(Real, {
      construct: (target, args: unknown[], made) => construct(target, settled(args), made as typeof Real) as object,
      apply: (target, self, args: unknown[]) => apply(target as unknown as Method, self, settled(args)),
    });
    put(Intl, name, Told);
    put(Real.prototype, "constructor", Told);
  }
  speak(realm, spoken);
}

/** Methods that take locales first, and those that take options with a zone behind them. */
function speak(realm: typeof globalThis, spoken: Spoken): void {
  const said = (old: Method): Method =>
    function (this: unknown, locales?: unknown, options?: unknown) {
      return apply(old, this, [spoken(locales), options]);
    };
  const dated = (old: Method): Method =>
    function (this: unknown, locales?: unknown, options?: unknown) {
      return apply(old, this, [spoken(locales), zoned(options)]);
    };
  const { Temporal } = realm as unknown as { Temporal?: Record<string, { prototype: object }> };
  const kinds = ["Number", "BigInt", "Array"] as const;
  for (const name of kinds) wrap(realm[name].prototype, "toLocaleString", said);
  wrap(Object.getPrototypeOf(realm.Uint8Array.prototype) as object, "toLocaleString", said);
  for (const name of ["toLocaleLowerCase", "toLocaleUpperCase"]) wrap(realm.String.prototype, name, said);
  wrap(
    realm.String.prototype,
    "localeCompare",
    (old) =>
      function (this: unknown, that?: unknown, locales?: unknown, options?: unknown) {
        return apply(old, this, [that, spoken(locales), options]);
      },
  );
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) wrap(realm.Date.prototype, name, dated);
  for (const name of ["PlainDate", "PlainDateTime", "PlainMonthDay", "PlainTime", "PlainYearMonth", "ZonedDateTime", "Duration"]) {
    wrap(Temporal?.[name]?.prototype, "toLocaleString", said);
  }
  wrap(Temporal?.["Instant"]?.prototype, "toLocaleString", dated);
}

/** `Temporal.Now` by the job's clock and in UTC. */
function temporalNow(realm: typeof globalThis, now: () => number): void {
  interface Zoned {
    toPlainDate(): unknown;
    toPlainDateTime(): unknown;
    toPlainTime(): unknown;
  }
  interface Instant {
    toZonedDateTimeISO(zone: unknown): Zoned;
  }
  const { Temporal } = realm as unknown as {
    Temporal?: { Now: object; Instant: { fromEpochMilliseconds(ms: number): Instant; prototype: Instant } };
  };
  if (Temporal === undefined) return;
  const { fromEpochMilliseconds, prototype } = Temporal.Instant;
  const { toZonedDateTimeISO } = prototype;
  const instant = (): Instant => apply(fromEpochMilliseconds, Temporal.Instant, [coarse(now())]);
  const zonedNow = (zone: unknown = "UTC"): Zoned => apply(toZonedDateTimeISO, instant(), [zone]);
  const methods: Record<string, unknown> = {
    instant,
    timeZoneId: () => "UTC",
    zonedDateTimeISO: zonedNow,
    plainDateISO: (zone?: unknown) => zonedNow(zone).toPlainDate(),
    plainDateTimeISO: (zone?: unknown) => zonedNow(zone).toPlainDateTime(),
    plainTimeISO: (zone?: unknown) => zonedNow(zone).toPlainTime(),
  };
  for (const name of ownKeys(methods)) put(Temporal.Now, name, methods[name as string]);
}

/** `format()` without a date asks the engine's clock. */
function formatNow(realm: typeof globalThis, now: () => number): void {
  const { prototype } = realm.Intl.DateTimeFormat;
  const formatOf = getterOf<unknown, (date: unknown) => string>(prototype, "format");
  defineProperty(prototype, "format", {
    configurable: true,
    get(this: unknown) {
      const format = formatOf(this);
      return (date?: unknown) => format(date === undefined ? now() : date);
    },
  });
  wrap(
    prototype,
    "formatToParts",
    (old) =>
      function (this: unknown, date?: unknown) {
        return apply(old, this, [date === undefined ? now() : date]);
      },
  );
}

/** Sets the realm's clocks, its zone and its language. */
export function tellTime(realm: typeof globalThis, clock: JobClock): void {
  localIsUtc(realm.Date.prototype as Date & Holder);
  sameEverywhere(realm);
  put(realm, "Date", dateOf(realm.Date, clock.now));
  temporalNow(realm, clock.now);
  formatNow(realm, clock.now);
  const { Event } = realm;
  if (Event !== undefined) {
    const stampOf = getterOf<Event, number>(Event.prototype, "timeStamp");
    const timeStamp = function (this: Event): number {
      return clock.coarse(stampOf(this));
    };
    defineProperty(Event.prototype, "timeStamp", { configurable: true, enumerable: true, get: timeStamp });
  }
  put(realm, "performance", { now: clock.since, timeOrigin: clock.origin() });
}
