/**
 * Reads server-sent events (WHATWG HTML, section 9.2) from text as it comes, as far as this server writes them: a name and one line
 * of data each, ended by a line feed.
 *
 * Pure. Knows nothing of what the events mean.
 */

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** A function that takes the next piece of text and answers the events that it completes. */
export function eventReader(): (piece: string) => readonly ServerEvent[] {
  let rest = "";
  return (piece) => {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => eventIn(block) ?? []);
  };
}

/** A comment is no event. */
function eventIn(block: string): ServerEvent | undefined {
  let name = "message";
  let data: string | undefined;
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice("event: ".length);
    if (line.startsWith("data: ")) data = line.slice("data: ".length);
  }
  return data === undefined ? undefined : { name, data };
}
