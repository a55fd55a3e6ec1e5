/**
 * A stream of server-sent events that comes back by itself, also after the server was away for longer. It is read by `fetch`: an
 * `EventSource` cannot send the session's key.
 *
 * Owns reconnecting. Knows nothing about what the events mean.
 */

import { type Refused, errorIn } from "../../api/request.ts";
import { isSignedOut, keepNewKey, sessionHeaders } from "../../api/session.ts";
import { eventReader } from "./sse.ts";

const RETRY_MS = 3000;

type Handlers = Readonly<Record<string, (data: unknown) => void>>;
/** `retryAt`: when it tries again, in milliseconds since 1970. `refused`: why it is not, in the server's words. */
type Live = (live: boolean, retryAt: number, refused?: Refused) => void;

/** Listens until the returned function is called. `onLive` hears whether news can be trusted to come, and why not. */
export function listen(path: string, handlers: Handlers, onLive: Live): () => void {
  const ending = new AbortController();
  void follow(path, handlers, onLive, ending.signal);
  return () => {
    ending.abort();
  };
}

async function follow(path: string, handlers: Handlers, onLive: Live, ending: AbortSignal): Promise<void> {
  while (!ending.aborted) {
    let refused: Refused | undefined;
    try {
      const end = await once(path, handlers, onLive, ending);
      if (end === "signed out") return;
      refused = end;
    } catch (problem) {
      // The server is away, or nobody listens any more; what a handler throws is the console's own mistake.
      if (!(problem instanceof TypeError || problem instanceof DOMException)) throw problem;
    }
    if (ending.aborted) return;
    onLive(false, Date.now() + RETRY_MS, refused);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Follows one answer to its end. Answers why there was no other, where the server says so. */
async function once(path: string, handlers: Handlers, onLive: Live, signal: AbortSignal): Promise<Refused | "signed out" | undefined> {
  const response = await fetch(path, { headers: sessionHeaders(), cache: "no-store", signal });
  keepNewKey(response);
  if (!response.ok || response.body === null) {
    const refused = errorIn(await response.text(), response.status);
    return isSignedOut(response.status, refused.code) ? "signed out" : refused;
  }
  onLive(true, 0);
  const [reader, decoder, read] = [response.body.getReader(), new TextDecoder(), eventReader()];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return undefined;
    for (const { name, data } of read(decoder.decode(value, { stream: true }))) handlers[name]?.(JSON.parse(data));
  }
}
