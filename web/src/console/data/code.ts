/** The code of jobs as text, by its hash. Owns asking for it. */

import { answerOf } from "../../api/ask.ts";

/** What every WebAssembly module begins with. */
const MODULE = [0, 0x61, 0x73, 0x6d];

/** `undefined` for a module, which is no text. @throws Refusal */
export async function readCode(hash: string): Promise<string | undefined> {
  const response = await answerOf({ method: "GET", path: `/blobs/${encodeURIComponent(hash)}` });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return MODULE.every((byte, at) => bytes[at] === byte) ? undefined : new TextDecoder().decode(bytes);
}
