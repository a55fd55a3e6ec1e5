/** The console's addresses: `#/` is the list, `#/runs/<id>` a run's page. */

/** The run that a hash names. */
export function runInHash(hash: string): string | undefined {
  const coded = /^#\/runs\/([^/]+)$/.exec(hash)?.[1];
  if (coded === undefined) return undefined;
  try {
    return decodeURIComponent(coded);
  } catch {
    return undefined;
  }
}
