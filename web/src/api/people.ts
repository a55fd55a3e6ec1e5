/**
 * What the console asks of the server about others: accounts, invitations, links for new passwords, sessions of theirs.
 *
 * A link that an answer holds goes to the caller, and is kept nowhere. Never touches the DOM.
 */

import { ask, tell } from "./ask.ts";
import * as routes from "./routes.gen.ts";
import type { AccountPage, AccountState, AccountView, LinkMade, SessionView } from "./types.gen.ts";

/** Accounts behind those of the page before. @throws Refusal */
export function listAccounts(state: AccountState | null, after: string | null): Promise<AccountPage> {
  return ask(routes.listAccounts({ state, after }));
}

/** The account of this name, if there is one. @throws Refusal */
export async function findAccount(name: string): Promise<AccountView | undefined> {
  return (await ask(routes.listAccounts({ name }))).accounts[0];
}

/** Those of one page at most. */
const NAMED_ACCOUNTS = 1000;

/** Names of the oldest accounts by their ids. @throws Refusal */
export async function nameAccounts(): Promise<ReadonlyMap<string, string>> {
  const { accounts } = await ask(routes.listAccounts({ limit: NAMED_ACCOUNTS }));
  return new Map(accounts.filter(({ name }) => name !== "").map(({ id, name }) => [id, name]));
}

/** @throws Refusal */
export function getAccount(account: string): Promise<AccountView> {
  return ask(routes.showAccount(account));
}

/** What whoever accepts an invitation belongs to, and as what. */
export interface Into {
  readonly project: string;
  readonly role: string;
}

/** @throws Refusal */
export function invite(admin: boolean, hours: number, into: Into | undefined): Promise<LinkMade> {
  return tell(routes.makeInvite(), { admin, hours, ...into });
}

/** A link that sets a new password. @throws Refusal */
export function makeResetLink(account: string): Promise<LinkMade> {
  return ask(routes.makeResetLink(account));
}

/** @throws Refusal */
export function setDisabled(account: string, disabled: boolean): Promise<unknown> {
  return ask(disabled ? routes.disableAccount(account) : routes.enableAccount(account));
}

/** @throws Refusal */
export function setAdmin(account: string, admin: boolean): Promise<unknown> {
  return tell(routes.setAdmin(account), { admin });
}

/** @throws Refusal */
export function removeAccount(account: string): Promise<unknown> {
  return ask(routes.removeAccount(account));
}

/** @throws Refusal */
export async function listAccountSessions(account: string): Promise<readonly SessionView[]> {
  return (await ask(routes.accountSessions(account))).sessions;
}

/** @throws Refusal */
export function endAccountSessions(account: string): Promise<unknown> {
  return ask(routes.endAccountSessions(account));
}
