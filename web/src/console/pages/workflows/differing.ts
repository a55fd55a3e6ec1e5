/** Which two versions are compared, and which of them is the older. Pure. */

export interface Pair {
  readonly older: string;
  readonly newer: string;
  /** The one that is not `to`. */
  readonly other: string;
}

/** `hashes`: the newest first, with `to` among them. Where `from` is not one of the others, the version before `to` takes its place, else the one behind it. */
export function differing(hashes: readonly string[], from: string, to: string): Pair {
  const at = hashes.indexOf(to);
  const other = from !== to && hashes.includes(from) ? from : (hashes[at + 1] ?? hashes[at - 1] ?? to);
  const isOlder = hashes.indexOf(other) > at;
  return isOlder ? { older: other, newer: to, other } : { older: to, newer: other, other };
}
