/** Whether a text fits what somebody looks for in a list that is at hand. Pure. */

/** Every word of it stands somewhere in the text, in whatever case; nothing that is asked for fits all. */
export function fits(text: string, asked: string): boolean {
  const lower = text.toLowerCase();
  return asked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
