/**
 * Questions in the name of the session.
 *
 * Owns what a session needs along the way: its key with each question, a new key where an answer brings one, and a fresh proof where the
 * server asks for one, after which what was meant goes on. Tells whoever listens that the server wants to know a project. Never touches
 * the DOM.
 */

import { Refusal, bodyOf, respond } from "./request.ts";
import type { Route } from "./routes.gen.ts";
import { isSignedOut, keepNewKey, sessionHeaders } from "./session.ts";

/** What is asked beside the route; headers that a session needs come by themselves. */
type Question = Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> };

const WHICH = "whichProject";

let prove = (): Promise<boolean> => Promise.resolve(false);

/** `prover` asks a person for a new proof, and says whether it was given. */
export function whenProofIsAsked(prover: () => Promise<boolean>): void {
  prove = prover;
}

let onWhichProject = (): void => undefined;

/** `listener` hears that a question was refused because somebody belongs to several projects. */
export function whenProjectIsAsked(listener: () => void): void {
  onWhichProject = listener;
}

/** @throws Refusal */
export async function ask<T>(route: Route<T>, request: Question = {}): Promise<T> {
  return bodyOf<T>(await answerOf(route, request));
}

/** With a body in JSON. @throws Refusal */
export function tell<T>(route: Route<T>, body: unknown): Promise<T> {
  return ask(route, { body: JSON.stringify(body) });
}

/** @throws Refusal */
export async function answerOf(route: Route<unknown>, request: Question = {}): Promise<Response> {
  try {
    return await once(route, request);
  } catch (refused) {
    if (!(refused instanceof Refusal)) throw refused;
    if (refused.code !== "signInAgain" || !(await prove())) throw refused;
    return once(route, request);
  }
}

/** Questions without an answer so far. */
const underWay = new Set<Promise<unknown>>();

async function once(route: Route<unknown>, request: Question, again = true): Promise<Response> {
  const headers = sessionHeaders();
  const asked = respond(route, { ...request, headers: { ...request.headers, ...headers } }, keepNewKey);
  underWay.add(asked);
  try {
    return await asked;
  } catch (refused) {
    underWay.delete(asked);
    if (!(refused instanceof Refusal)) throw refused;
    if (again && refused.code === "noSessionKey" && (await hasNewerKey(headers))) return once(route, request, false);
    isSignedOut(refused.status, refused.code);
    if (refused.code === WHICH) onWhichProject();
    throw refused;
  } finally {
    underWay.delete(asked);
  }
}

/** The browser takes a new cookie before the page has read the key that belongs to it: the answer that brings it is under way. */
async function hasNewerKey(sent: Readonly<Record<string, string>>): Promise<boolean> {
  await Promise.allSettled(underWay);
  return JSON.stringify(sessionHeaders()) !== JSON.stringify(sent);
}
