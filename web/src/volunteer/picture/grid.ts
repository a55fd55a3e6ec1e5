/** Where the cells of the picture stand: as few rows as leave every cell large enough to be seen. Pure. */

const GAP = 6;
const SMALL_GAP = 3;
/** Cells below this have the small gap. */
const SMALL = 24;
const MAX_SIDE = 44;
const MIN_SIDE = 10;

export interface Grid {
  readonly columns: number;
  readonly rows: number;
  /** A cell's, in pixels, as are the gap and the height. */
  readonly side: number;
  readonly gap: number;
  readonly height: number;
}

/** For `count` cells, one at least, in a box of this width. */
export function gridOf(count: number, width: number): Grid {
  for (let rows = 1; ; rows += 1) {
    const columns = Math.ceil(count / rows);
    const gap = width / columns - GAP < SMALL ? SMALL_GAP : GAP;
    const side = Math.min(MAX_SIDE, Math.floor((width + gap) / columns) - gap);
    const least = rows === 1 ? SMALL : rows < 4 ? SMALL - GAP : MIN_SIDE;
    if (side >= least || columns === 1) return { columns, rows, side: Math.max(1, side), gap, height: rows * (side + gap) - gap };
  }
}
