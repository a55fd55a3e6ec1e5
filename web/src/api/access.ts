/**
 * What the console asks of the server about whoever sits before it: signing in, who that is, password, sessions.
 *
 * Never touches the DOM.
 */

import { ask, tell } from "./ask.ts";
import { read } from "./request.ts";
import * as routes from "./routes.gen.ts";
import type { Route } from "./routes.gen.ts";
import { forgetSession, keepSession } from "./session.ts";
import type { LinkView, Me, SessionOpened, SessionView } from "./types.gen.ts";

/** What a link makes: an account. */
export interface NewAccount {
  readonly name: string;
  readonly display: string;
  readonly password: string;
}

/** The session that a console's link opens. @throws Refusal */
export function openSession(link: string): Promise<void> {
  return begin(routes.openSession(), { link });
}

/** @throws Refusal */
export function signIn(name: string, password: string): Promise<void> {
  return begin(routes.signIn(), { name, password });
}

/** What a link is good for. @throws Refusal */
export function lookAtLink(link: string): Promise<LinkView> {
  return read(routes.showLink(), { body: JSON.stringify({ link }) });
}

/** Makes the account that a link invites to, and signs in with it. @throws Refusal */
export function acceptLink(link: string, account: NewAccount): Promise<void> {
  return begin(routes.acceptLink(), { link, ...account });
}

/** Sets a password by a link, and signs in with it. @throws Refusal */
export function resetPassword(link: string, password: string): Promise<void> {
  return begin(routes.resetPassword(), { link, password });
}

/** @throws Refusal */
export async function signOut(): Promise<void> {
  await ask(routes.closeSession());
  forgetSession();
}

/** @throws Refusal */
export async function proveAgain(password: string): Promise<void> {
  keepSession((await tell(routes.proveAgain(), { password })).key);
}

/** @throws Refusal */
export function getMe(): Promise<Me> {
  return ask(routes.showMe());
}

/** @throws Refusal */
export async function changePassword(password: string): Promise<void> {
  keepSession((await tell(routes.changePassword(), { password })).key);
}

/** @throws Refusal */
export async function listSessions(): Promise<readonly SessionView[]> {
  return (await ask(routes.listSessions())).sessions;
}

/** @throws Refusal */
export function endSession(session: string): Promise<unknown> {
  return ask(routes.endSession(session));
}

/** All but this one. @throws Refusal */
export function endOtherSessions(): Promise<unknown> {
  return ask(routes.endSessions());
}

/** A session that begins without one. */
async function begin(route: Route<SessionOpened>, body: unknown): Promise<void> {
  keepSession((await read(route, { body: JSON.stringify(body) })).key);
}
