/**
 * What the console asks of the server about programs: tokens, and logins that wait for somebody to approve them.
 *
 * A secret that an answer holds goes to the caller, and is kept nowhere. Never touches the DOM.
 */

import { ask, tell } from "./ask.ts";
import * as routes from "./routes.gen.ts";
import type { LoginView, TokenList, TokenMade } from "./types.gen.ts";

/** What a program may do that is let in. */
export interface TokenAsked {
  readonly scopes: readonly string[];
  /** Left out: all projects of its owner. */
  readonly project?: string;
  readonly days: number;
}

/** One's own, behind those of the page before. @throws Refusal */
export function listTokens(after: string | null): Promise<TokenList> {
  return ask(routes.listTokens({ after }));
}

/** @throws Refusal */
export function makeToken(name: string, asked: TokenAsked): Promise<TokenMade> {
  return tell(routes.makeToken(), { name, ...asked });
}

/** @throws Refusal */
export function revokeToken(token: string): Promise<unknown> {
  return ask(routes.revokeToken(token));
}

/** The program that waits behind a code. @throws Refusal */
export function getLogin(code: string): Promise<LoginView> {
  return ask(routes.showLogin(code));
}

/** @throws Refusal */
export function approveLogin(code: string, asked: TokenAsked): Promise<unknown> {
  return tell(routes.decideLogin(code), { approve: true, ...asked });
}

/** @throws Refusal */
export function refuseLogin(code: string): Promise<unknown> {
  return tell(routes.decideLogin(code), { approve: false, scopes: [] });
}

/** @throws Refusal */
export function listAccountTokens(account: string, after: string | null): Promise<TokenList> {
  return ask(routes.accountTokens(account, { after }));
}

/** @throws Refusal */
export function revokeAccountToken(account: string, token: string): Promise<unknown> {
  return ask(routes.revokeAccountToken(account, token));
}
