/**
 * Joins one line with those who listen to it: each says what it wants, and hears of that alone.
 *
 * Owns what follows from a refusal that concerns one topic. Knows neither ports nor pages; tabs are whatever can be told something.
 */

import type { Refused } from "../../api/request.ts";
import { Line } from "./line.ts";
import type { Connection, FromTab, Headers, ToTab } from "./messages.ts";
import { Wants } from "./wants.ts";

/** Refusals that end a session, or need another key. */
const SIGNED_OUT = 401;
const NO_KEY = "noSessionKey";
/** Refusals of a single run. */
const NO_RUN: ReadonlySet<string> = new Set(["noSuchRun", "badId"]);

export interface Tab {
  readonly tell: (message: ToTab) => void;
}

export class Switchboard {
  readonly #wants = new Wants<Tab>();
  readonly #line: Line;
  #headers: Headers = {};
  /** Runs that are not there, or not any more. */
  readonly #missing = new Set<string>();
  /** Nobody is signed in, as far as is known. */
  #signedOut = false;
  #connection: Connection = { kind: "connecting" };

  constructor(lookEvery?: number) {
    const hearer = {
      event: (topic: string, data: string) => this.#tell(this.#wants.of(topic), { kind: "event", topic, data }),
      connection: (connection: Connection) => {
        this.#connection = connection;
        this.#tell(this.#wants.tabs(), { kind: "connection", connection });
      },
      answered: (key: string) => this.#tell(this.#wants.tabs(), { kind: "answered", key }),
      refused: (refused: Refused, status: number, sent: Headers) => this.#refused(refused, status, sent),
    };
    this.#line = new Line(hearer, lookEvery);
  }

  hear(tab: Tab, message: FromTab): void {
    const now = Date.now();
    if (message.kind === "here") this.#wants.heard(tab, now);
    if (message.kind === "gone") this.#wants.forget(tab);
    if (message.kind === "want") {
      this.#wants.want(tab, message.topics, now);
      [this.#headers, this.#signedOut] = [message.headers, false];
      for (const topic of message.fresh) this.#missing.delete(topic);
      this.#tell([tab], { kind: "connection", connection: this.#connection });
    }
    this.#wants.sweep(now);
    this.#ask(message.kind === "want" ? message.fresh : []);
  }

  #ask(fresh: readonly string[]): void {
    if (this.#signedOut) return;
    const topics = this.#wants.union().filter((topic) => !this.#missing.has(topic));
    this.#line.want(topics, fresh, this.#headers);
  }

  #refused(refused: Refused, status: number, sent: Headers): void {
    const missing = NO_RUN.has(refused.code) ? this.#wants.union().find((topic) => refused.detail.includes(idOf(topic))) : undefined;
    if (missing !== undefined) {
      this.#missing.add(missing);
      return this.#ask([]);
    }
    // Without a session there is nothing to try again before a tab brings another key.
    this.#signedOut = status === SIGNED_OUT || refused.code === NO_KEY;
    if (!this.#signedOut) this.#line.retry(refused.detail);
    this.#tell(this.#wants.tabs(), { kind: "refused", refused, status, sent });
  }

  #tell(tabs: readonly Tab[], message: ToTab): void {
    for (const tab of tabs) tab.tell(message);
  }
}

/** What a refusal would name; nothing does for a topic that is no run's. */
function idOf(topic: string): string {
  return topic.startsWith("run:") ? topic.slice("run:".length) : "\n";
}
