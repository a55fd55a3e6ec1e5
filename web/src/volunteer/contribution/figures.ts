/** Numbers of the ledger as a language writes them. Pure, and without a word of its own: units are those of `Intl`. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export class Figures {
  private readonly whole: Intl.NumberFormat;
  private readonly short: Intl.NumberFormat;
  private readonly language: string;
  private readonly full: Intl.DateTimeFormat;
  private readonly month: Intl.DateTimeFormat;
  /** By unit and digits: making one costs far more than using it. */
  private readonly units = new Map<string, Intl.NumberFormat>();

  constructor(language: string) {
    this.language = language;
    this.whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
    this.short = new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 });
    // What is written is the date of a day, which has no zone.
    this.full = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
    this.month = new Intl.DateTimeFormat(language, { month: "short", timeZone: "UTC" });
  }

  count(number: number): string {
    return this.whole.format(number);
  }

  /** `1.2T`, as short as the language can. */
  large(number: number): string {
    return this.short.format(number);
  }

  /** In seconds below a minute, in minutes below an hour, else in hours. */
  span(ms: number): string {
    if (ms < MINUTE_MS) return this.unit("second", ms / 1000);
    return ms < HOUR_MS ? this.unit("minute", ms / MINUTE_MS) : this.unit("hour", ms / HOUR_MS);
  }

  /** `utc` as `utcOf` gives it. */
  date(utc: number): string {
    return this.full.format(utc);
  }

  monthName(utc: number): string {
    return this.month.format(utc);
  }

  private unit(unit: string, number: number): string {
    const maximumFractionDigits = number < 100 ? 1 : 0;
    const key = `${unit} ${maximumFractionDigits}`;
    const options = { style: "unit", unit, unitDisplay: "long", maximumFractionDigits } as const;
    const format = this.units.get(key) ?? new Intl.NumberFormat(this.language, options);
    this.units.set(key, format);
    return format.format(number);
  }
}
