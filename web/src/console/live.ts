/**
 * A stream of server-sent events that comes back by itself, also after the server was away for longer.
 *
 * Owns reconnecting. Knows nothing about what the events mean.
 */

const RETRY_MS = 2000;

type Handlers = Readonly<Record<string, (data: unknown) => void>>;

/** Listens until the returned function is called. `onLive` hears whether news can be trusted to come. */
export function listen(path: string, handlers: Handlers, onLive: (live: boolean) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    source = new EventSource(path);
    source.onopen = () => {
      onLive(true);
    };
    source.onerror = () => {
      onLive(false);
      // The browser tries again by itself unless the answer was an error.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS);
    };
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        handle(JSON.parse(event.data));
      });
    }
  }

  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
