/** What there is to say of many numbers: how many, where they lie, how they spread. Pure. */

export interface Statistics {
  readonly count: number;
  readonly nans: number;
  /** Infinite ones, of both signs. */
  readonly infinite: number;
  /** The smallest finite one; NaN, like all that follows, where there is no such. */
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** That of a sample: over one less than there are. */
  readonly deviation: number;
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
}

/** The finite numbers in their order. */
export function sorted(numbers: ArrayLike<number>): Float64Array {
  const finite = new Float64Array(numbers.length);
  let count = 0;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    if (Number.isFinite(number)) finite[count++] = number;
  }
  return finite.subarray(0, count).sort();
}

/** `finite`: what `sorted` makes of them. */
export function statisticsOf(numbers: ArrayLike<number>, finite: Float64Array): Statistics {
  let nans = 0;
  for (let at = 0; at < numbers.length; at++) if (Number.isNaN(numbers[at])) nans += 1;
  const { mean, deviation } = spread(finite);
  return {
    count: numbers.length,
    nans,
    infinite: numbers.length - nans - finite.length,
    min: finite[0] ?? NaN,
    max: finite.at(-1) ?? NaN,
    mean,
    deviation,
    lower: quantile(finite, 0.25),
    median: quantile(finite, 0.5),
    upper: quantile(finite, 0.75),
  };
}

/** Welford, "Note on a method for calculating corrected sums of squares and products", 1962: nothing large is subtracted. */
function spread(finite: Float64Array): { mean: number; deviation: number } {
  let mean = 0;
  let squares = 0;
  for (let at = 0; at < finite.length; at++) {
    const number = finite[at] as number;
    const before = number - mean;
    mean += before / (at + 1);
    squares += before * (number - mean);
  }
  if (finite.length === 0) return { mean: NaN, deviation: NaN };
  return { mean, deviation: finite.length < 2 ? NaN : Math.sqrt(squares / (finite.length - 1)) };
}

/** Between its two neighbours (Hyndman and Fan, "Sample quantiles", 1996, definition 7). */
function quantile(finite: Float64Array, share: number): number {
  if (finite.length === 0) return NaN;
  const place = (finite.length - 1) * share;
  const below = finite[Math.floor(place)] as number;
  const above = finite[Math.ceil(place)] as number;
  return below === above ? below : below + (above - below) * (place - Math.floor(place));
}
