/** A long line as the lowest and the highest number of each pixel: nothing that sticks out is lost. Pure. */

export interface Extremes {
  readonly low: Float64Array;
  /** NaN, like `low`, where a pixel has no finite number. */
  readonly high: Float64Array;
}

/** So many pixels, or one for each number where there are fewer. */
export function extremesOf(numbers: ArrayLike<number>, pixels: number): Extremes {
  const columns = Math.max(1, Math.min(pixels, numbers.length));
  const low = new Float64Array(columns).fill(NaN);
  const high = new Float64Array(columns).fill(NaN);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    if (!Number.isFinite(number)) continue;
    const column = Math.floor((at * columns) / numbers.length);
    if (!(number >= (low[column] as number))) low[column] = number;
    if (!(number <= (high[column] as number))) high[column] = number;
  }
  return { low, high };
}
