/**
 * One stream of the server's, which comes back by itself. It is read by `fetch`: an `EventSource` cannot send the session's key.
 *
 * Owns reconnecting, and what was heard last. Knows nothing of what events mean, nor of tabs; runs in a worker as well as in a page.
 */

import { type Refused, errorIn } from "../../api/request.ts";
import { events } from "../../api/routes.gen.ts";
import type { Connection, Headers } from "./messages.ts";
import { pauseAfter } from "./pauses.ts";
import { type ServerEvent, eventReader } from "./sse.ts";

/** Wishes that come together make one stream. */
const GATHER_MS = 30;
/** The server says something every 15 seconds: silent for longer, the connection is dead. */
const SILENT_MS = 45_000;
/** The header that brings another key. */
const KEY = "x-weevil-session-key";

export interface Hearer {
  readonly event: (topic: string, data: string) => void;
  readonly connection: (connection: Connection) => void;
  readonly answered: (key: string) => void;
  /** It has stopped; whoever hears it has it try again, or wants something else. */
  readonly refused: (refused: Refused, status: number, sent: Headers) => void;
}

export class Line {
  readonly #hearer: Hearer;
  /** Where it is not to stay: how long after one look the next begins. */
  readonly #lookEvery: number | undefined;
  #topics: readonly string[] = [];
  #headers: Headers = {};
  readonly #fresh = new Set<string>();
  /** The id of the last event. */
  #last: string | undefined;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ending = new AbortController();
  /** Another number for each stream: what comes of an earlier one is of no interest. */
  #turn = 0;
  /** There is a stream, or there will be one. */
  #goesOn = false;

  constructor(hearer: Hearer, lookEvery?: number) {
    this.#hearer = hearer;
    this.#lookEvery = lookEvery;
  }

  /** Follows these from now on. A key that is new is for the next stream. */
  want(topics: readonly string[], fresh: readonly string[], headers: Headers): void {
    const same = topics.join() === this.#topics.join() && fresh.length === 0;
    for (const topic of fresh) this.#fresh.add(topic);
    [this.#topics, this.#headers] = [topics, headers];
    if (topics.length === 0) this.stop();
    else if (!same || !this.#goesOn) this.#begin(GATHER_MS);
  }

  /** Tries what was refused once more, after a while. */
  retry(why: string): void {
    this.#rest(why);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.#goesOn = false;
    this.#ending.abort();
  }

  #begin(pause: number): void {
    this.stop();
    this.#goesOn = true;
    this.#timer = setTimeout(() => void this.#follow(this.#turn), pause);
  }

  #rest(why: string | undefined): void {
    this.#tries += 1;
    const pause = pauseAfter(this.#tries);
    if (why !== undefined) this.#hearer.connection({ kind: "lost", retryAt: Date.now() + pause, why });
    this.#begin(pause);
  }

  async #follow(turn: number): Promise<void> {
    const end = await this.#once();
    if (turn !== this.#turn) return;
    if (end === "looked") this.#begin(this.#lookEvery ?? 0);
    // That the server ends was told, and stays to be read until it cannot be reached.
    else this.#rest(end === "bye" ? undefined : "");
  }

  /** Follows one answer to its end. */
  async #once(): Promise<"ended" | "looked" | "bye"> {
    const ending = new AbortController();
    this.#ending = ending;
    let watchdog = setTimeout(() => ending.abort(), SILENT_MS);
    try {
      const body = await this.#ask(ending.signal);
      if (body === undefined) return "ended";
      const [reader, decoder, read] = [body.getReader(), new TextDecoder(), eventReader()];
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return "ended";
        clearTimeout(watchdog);
        watchdog = setTimeout(() => ending.abort(), SILENT_MS);
        for (const event of read(decoder.decode(value, { stream: true }))) {
          const end = this.#take(event);
          if (end !== undefined) return end;
        }
      }
    } catch (problem) {
      // The server is away, or nobody listens any more; what a hearer throws is the console's own mistake.
      if (!(problem instanceof TypeError || problem instanceof DOMException)) throw problem;
      return "ended";
    } finally {
      clearTimeout(watchdog);
      ending.abort();
    }
  }

  /** Stops, and says so, where the server refuses. */
  async #ask(signal: AbortSignal): Promise<ReadableStream<Uint8Array> | undefined> {
    const sent = this.#headers;
    const response = await fetch(this.#path(), { headers: { ...sent }, cache: "no-store", signal });
    const key = response.headers.get(KEY);
    if (key !== null) this.#takeKey(key);
    if (response.ok && response.body !== null) {
      this.#tries = 0;
      this.#hearer.connection({ kind: "live" });
      return response.body;
    }
    const refused = errorIn(await response.text(), response.status);
    this.stop();
    this.#hearer.refused(refused, response.status, sent);
    return undefined;
  }

  #takeKey(key: string): void {
    this.#headers = { [KEY]: key };
    this.#hearer.answered(key);
  }

  #take({ name, data, id }: ServerEvent): "bye" | "looked" | undefined {
    if (name === "bye") {
      this.#hearer.connection({ kind: "ending" });
      return "bye";
    }
    if (id !== undefined) this.#last = id;
    if (data !== undefined) {
      this.#fresh.delete(name);
      this.#hearer.event(name, data);
    } else if (this.#lookEvery !== undefined) return "looked";
    return undefined;
  }

  #path(): string {
    const topics = this.#topics.join();
    // Who only looks gets snapshots, behind which there is an id.
    if (this.#last === undefined || this.#lookEvery !== undefined) return events({ topics }).path;
    const fresh = [...this.#fresh].filter((topic) => this.#topics.includes(topic)).join();
    return events({ topics, after: this.#last, fresh: fresh === "" ? null : fresh }).path;
  }
}
