/** What a workflow's own `expected.json` says of a result, in words. Pure. */

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

/** Empty where the two cannot be compared: only single values are. */
export function compared(value: unknown, { result, tolerance }: Expected): string {
  const isNumber = typeof value === "number" && typeof result === "number";
  if (isNumber && tolerance !== undefined && tolerance > 0) {
    if (Math.abs(value - result) <= tolerance) return `Within ${tolerance} of the expected ${result}.`;
    return `More than ${tolerance} away from the expected ${result}.`;
  }
  const isText = typeof value === "string" && typeof result === "string";
  const isFlag = typeof value === "boolean" && typeof result === "boolean";
  if (!isNumber && !isText && !isFlag) return "";
  return value === result ? "As expected." : `The workflow expects ${JSON.stringify(result)}.`;
}
