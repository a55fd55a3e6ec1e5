/**
 * Reads server-sent events (WHATWG HTML, section 9.2) from text as it comes, as far as this server writes them: an id, a name and one
 * line of data each, ended by a line feed.
 *
 * Pure. Knows nothing of what the events mean.
 */

export interface ServerEvent {
  readonly name: string;
  /** `undefined`: there is nothing but an id. */
  readonly data: string | undefined;
  readonly id: string | undefined;
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
  const lines = block.split("\n");
  const field = (name: string): string | undefined => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [data, id] = [field("data"), field("id")];
  return data === undefined && id === undefined ? undefined : { name: field("event") ?? "message", data, id };
}
