/** Commands as somebody copies them into a shell. Pure. */

/** One word of a command, whatever stands in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
