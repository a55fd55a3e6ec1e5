/** What a workflow's own `expected.json` says of a result, and whether that is so. Pure; what is said of it is the page's. */

export interface Expected {
  readonly result: unknown;
  /** Absolute; without it the result has to be the same. */
  readonly tolerance?: number;
}

/** `undefined` where the file holds no such thing: it is anybody's. */
export function readExpected(text: string): Expected | undefined {
  try {
    const found = JSON.parse(text) as Partial<Expected> | null;
    if (typeof found !== "object" || found === null || !("result" in found)) return undefined;
    const { result, tolerance } = found;
    return typeof tolerance === "number" ? { result, tolerance } : { result };
  } catch {
    return undefined;
  }
}

/** `within` and `beyond` the tolerance; without one the two are the same or differ. */
export type Verdict = "same" | "differs" | "within" | "beyond";

/** `undefined` where the two cannot be compared: only single values are. */
export function verdictOn(value: unknown, { result, tolerance }: Expected): Verdict | undefined {
  const isNumber = typeof value === "number" && typeof result === "number";
  if (isNumber && tolerance !== undefined && tolerance > 0) return Math.abs(value - result) <= tolerance ? "within" : "beyond";
  const isText = typeof value === "string" && typeof result === "string";
  const isFlag = typeof value === "boolean" && typeof result === "boolean";
  if (!isNumber && !isText && !isFlag) return undefined;
  return value === result ? "same" : "differs";
}
