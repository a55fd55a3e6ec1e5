/**
 * What this tab listens to. While nobody has seen it for a minute it wants nothing.
 *
 * Owns who hears of which topic, and tells the session's changes on. Knows nothing of what frames mean.
 */

import type { Refused } from "../../api/request.ts";
import { isSignedOut, keepSession, sessionHeaders } from "../../api/session.ts";
import { type Link, openLink } from "./link.ts";
import type { Connection, Headers, ToTab } from "./messages.ts";

/** How long a hidden tab goes on listening. */
const HIDDEN_MS = 60_000;
/** How often a tab says that it is there. */
const HERE_MS = 30_000;

type Handler = (frame: unknown) => void;

interface Listener {
  readonly connection: (connection: Connection) => void;
  readonly refused: (refused: Refused) => void;
}

const handlers = new Map<string, Set<Handler>>();
let listener: Listener = { connection: () => undefined, refused: () => undefined };
let link: Link | undefined;
let asleep = false;
/** Topics that are to begin with a snapshot. */
let fresh = new Set<string>();
let telling = false;

/** Who hears how the stream itself fares. */
export function whenStreamChanges(hears: Listener): void {
  listener = hears;
}

/** Hears a topic until the returned function is called; a snapshot comes first. */
export function listenTo<T>(topic: string, handler: (frame: T) => void): () => void {
  const hears: Handler = (frame) => handler(frame as T);
  handlers.set(topic, (handlers.get(topic) ?? new Set()).add(hears));
  fresh.add(topic);
  tellWants();
  return () => {
    const all = handlers.get(topic);
    all?.delete(hears);
    if (all?.size === 0) handlers.delete(topic);
    tellWants();
  };
}

/** What changes together is told together. */
function tellWants(): void {
  if (telling) return;
  telling = true;
  queueMicrotask(() => {
    telling = false;
    const topics = asleep ? [] : [...handlers.keys()];
    const beginning = topics.filter((topic) => fresh.has(topic));
    if (!asleep) fresh = new Set();
    link ??= open();
    link.say({ kind: "want", topics, fresh: beginning, headers: sessionHeaders() });
  });
}

function open(): Link {
  setInterval(() => link?.say({ kind: "here" }), HERE_MS);
  addEventListener("pagehide", () => link?.say({ kind: "gone" }));
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    link = openLink(hear);
    fresh = new Set(handlers.keys());
    tellWants();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => sleep(true), HIDDEN_MS);
    else sleep(false);
  });
  return openLink(hear);
}

/** What goes on meanwhile is not heard, so everything begins anew afterwards. */
function sleep(now: boolean): void {
  if (asleep === now) return;
  asleep = now;
  fresh = new Set(handlers.keys());
  tellWants();
}

function hear(message: ToTab): void {
  if (message.kind === "connection") listener.connection(message.connection);
  if (message.kind === "answered") keepSession(message.key);
  if (message.kind === "refused") refused(message.refused, message.status, message.sent);
  if (message.kind === "event") {
    const frame: unknown = JSON.parse(message.data);
    for (const handler of handlers.get(message.topic) ?? []) handler(frame);
  }
}

function refused(why: Refused, status: number, sent: Headers): void {
  // Another tab has a newer key, or this one has it since.
  if (why.code === "noSessionKey" && JSON.stringify(sent) !== JSON.stringify(sessionHeaders())) return tellWants();
  if (!isSignedOut(status, why.code)) listener.refused(why);
}
