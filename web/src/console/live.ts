/**
 * A stream of server-sent events that comes back by itself, also after the server was away for longer. It is read by `fetch`: an
 * `EventSource` cannot send the session's key.
 *
 * Owns reconnecting. Knows nothing about what the events mean.
 */

import { errorIn } from "../api/request.ts";
import { isSignedOut, keepNewKey, sessionHeaders } from "../api/session.ts";
import { eventReader } from "./sse.ts";

const RETRY_MS = 2000;

type Handlers = Readonly<Record<string, (data: unknown) => void>>;
type Live = (live: boolean) => void;

/** Listens until the returned function is called. `onLive` hears whether news can be trusted to come. */
export function listen(path: string, handlers: Handlers, onLive: Live): () => void {
  const ending = new AbortController();
  void follow(path, handlers, onLive, ending.signal);
  return () => {
    ending.abort();
  };
}

async function follow(path: string, handlers: Handlers, onLive: Live, ending: AbortSignal): Promise<void> {
  while (!ending.aborted) {
    try {
      if (await once(path, handlers, onLive, ending)) return;
    } catch (problem) {
      // The server is away, or nobody listens any more; what a handler throws is the console's own mistake.
      if (!(problem instanceof TypeError || problem instanceof DOMException)) throw problem;
    }
    if (ending.aborted) return;
    onLive(false);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Follows one answer to its end. Answers whether asking again is of no use. */
async function once(path: string, handlers: Handlers, onLive: Live, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(path, { headers: sessionHeaders(), cache: "no-store", signal });
  keepNewKey(response);
  if (!response.ok || response.body === null) {
    return isSignedOut(response.status, errorIn(await response.text(), response.status).code);
  }
  onLive(true);
  const [reader, decoder, read] = [response.body.getReader(), new TextDecoder(), eventReader()];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return false;
    for (const { name, data } of read(decoder.decode(value, { stream: true }))) handlers[name]?.(JSON.parse(data));
  }
}
