/** The volunteer's MFLOPS over the last minutes, and the line that shows them. Pure. */

/** Milliseconds that one point stands for. */
const POINT_MS = 2000;
/** Five minutes. */
const POINTS = 150;
/** The picture is that wide from the start: the first points do not fill it. */
const LEAST_POINTS = 30;

export interface Picture {
  /** Path data in a box of `width` by `height`, the newest point at the right; empty while there is nothing to see. */
  readonly line: string;
  /** What lies below the line. */
  readonly area: string;
  readonly most: number;
}

export class History {
  private points: number[] = [];
  private last = -Infinity;

  /** Takes what is told now; more often than the points go, the newest word counts. `now` in milliseconds. */
  add(now: number, mflops: number): void {
    if (now - this.last < POINT_MS) {
      this.points[this.points.length - 1] = mflops;
      return;
    }
    this.last = now;
    this.points = [...this.points.slice(1 - POINTS), mflops];
  }

  picture(width: number, height: number): Picture {
    const most = Math.max(0, ...this.points);
    if (this.points.length < 2 || most === 0) return { line: "", area: "", most };
    const step = width / (Math.max(LEAST_POINTS, this.points.length) - 1);
    const left = width - step * (this.points.length - 1);
    const at = (mflops: number, index: number): string => `${round(left + index * step)} ${round(height - (mflops / most) * height)}`;
    const line = `M${this.points.map(at).join("L")}`;
    return { line, area: `${line}V${height}H${round(left)}Z`, most };
  }
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
