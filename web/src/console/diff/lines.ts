/**
 * Which lines two texts have in common: the algorithm of Myers (1986), with a bound on its steps, behind which all of the one is told
 * before all of the other. Pure.
 */

export interface Piece {
  readonly kind: "same" | "removed" | "added";
  /** Numbers from 1; of a line that is in one text only, the other is 0. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Compared {
  readonly pieces: readonly Piece[];
  /** The texts differ in more than is compared. */
  readonly cut: boolean;
}

/** Differences between two texts that are looked for: time and memory grow with their square. */
export const MAX_DIFFERENCES = 2000;

export function compareLines(one: string, other: string): Compared {
  return compare(linesIn(one), linesIn(other));
}

/** An end of line ends a line; it does not begin another. */
function linesIn(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** The same for anything that is compared as texts are. */
export function compare(a: readonly string[], b: readonly string[]): Compared {
  let [head, tail] = [0, 0];
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const [oldMiddle, newMiddle] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  const steps = stepsBetween(oldMiddle, newMiddle);
  const middle = steps ?? [...oldMiddle.map(() => "removed" as const), ...newMiddle.map(() => "added" as const)];
  const same = (count: number) => Array.from({ length: count }, () => "same" as const);
  return { pieces: piecesOf([...same(head), ...middle, ...same(tail)], a, b), cut: steps === undefined };
}

type Step = Piece["kind"];

function piecesOf(steps: readonly Step[], a: readonly string[], b: readonly string[]): Piece[] {
  let [x, y] = [0, 0];
  return steps.map((kind) => {
    if (kind !== "added") x += 1;
    if (kind !== "removed") y += 1;
    const text = (kind === "added" ? b[y - 1] : a[x - 1]) ?? "";
    return { kind, from: kind === "added" ? 0 : x, to: kind === "removed" ? 0 : y, text };
  });
}

/** The shortest way from one to the other; `undefined` where it is longer than the bound. */
function stepsBetween(a: readonly string[], b: readonly string[]): Step[] | undefined {
  const most = Math.min(a.length + b.length, MAX_DIFFERENCES);
  const middle = most + 1;
  const reach = new Int32Array(2 * most + 3);
  const rounds: Int32Array[] = [];
  for (let count = 0; count <= most; count += 1) {
    rounds.push(reach.slice(middle - count - 1, middle + count + 2));
    for (let line = -count; line <= count; line += 2) {
      const down = line === -count || (line !== count && at(reach, middle + line - 1) < at(reach, middle + line + 1));
      let x = down ? at(reach, middle + line + 1) : at(reach, middle + line - 1) + 1;
      while (x < a.length && x - line < b.length && a[x] === b[x - line]) x += 1;
      reach[middle + line] = x;
      if (x >= a.length && x - line >= b.length) return wayBack(rounds, a.length, b.length);
    }
  }
  return undefined;
}

function at(numbers: Int32Array, index: number): number {
  return numbers[index] ?? 0;
}

/** The steps, from how far each round had come before. */
function wayBack(rounds: readonly Int32Array[], width: number, height: number): Step[] {
  const back: Step[] = [];
  let [x, y] = [width, height];
  for (let count = rounds.length - 1; count >= 0; count -= 1) {
    const round = rounds[count] ?? new Int32Array();
    const reached = (line: number): number => at(round, line + count + 1);
    const line = x - y;
    const down = line === -count || (line !== count && reached(line - 1) < reached(line + 1));
    const before = down ? line + 1 : line - 1;
    const fromX = count === 0 ? 0 : reached(before);
    const fromY = count === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      back.push("same");
      [x, y] = [x - 1, y - 1];
    }
    if (count > 0) back.push(down ? "added" : "removed");
    [x, y] = [fromX, fromY];
  }
  return back.map((_, step) => back[back.length - 1 - step] ?? "same");
}
