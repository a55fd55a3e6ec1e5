/** How a list that is at hand whole is put in order. Pure. */

export interface Order<T> {
  /** As it stands in the address. */
  readonly key: string;
  /** Behind “sorted by”. */
  readonly name: string;
  readonly compare: (one: T, other: T) => number;
}

/** The first one is the usual one, of which the address says nothing. */
type Known<O> = readonly [O, ...(readonly O[])];
export type Orders<T> = Known<Order<T>>;

/** The one with this key; the usual one where no order has it. */
export function orderOf<O extends Known<{ readonly key: string }>>(orders: O, key: string): O[number] {
  return orders.find((order) => order.key === key) ?? orders[0];
}

/** Those that are equal stay as the server lists them. */
export function inOrder<T>(rows: readonly T[], { compare }: Order<T>): readonly T[] {
  return [...rows].sort(compare);
}

export function mostFirst<T>(of: (row: T) => number): Order<T>["compare"] {
  return (one, other) => of(other) - of(one);
}

/** What has no moment comes last. */
export function earliestFirst<T>(of: (row: T) => number | null): Order<T>["compare"] {
  const moment = (row: T): number => of(row) ?? Number.MAX_SAFE_INTEGER;
  return (one, other) => moment(one) - moment(other);
}

export function byName<T>(of: (row: T) => string): Order<T>["compare"] {
  return (one, other) => of(one).localeCompare(of(other));
}
