/** What the console says of people, sessions, tokens and moments. */

import { expect, test } from "vitest";
import type { AccountView, Me, TokenView } from "../../api/types.gen.ts";
import { accountBadge, accountTone, ahead, inOrder, isLive, momentOf, rightText, sessionText, tokenTimes, whoText } from "./words.ts";

const NOW = 1_000_000_000_000;
const DAY = 86_400_000;

const ADA: AccountView = { id: "acc_1", name: "ada", display: "Ada L.", admin: false, state: "active", createdAt: NOW, stateAt: null };
const ME: Me = { kind: "account", account: ADA, fresh: true, session: null, token: null, memberships: [], rights: [] };
const TOKEN: TokenView = {
  id: "tok_1",
  name: "laptop",
  scopes: ["runs:read"],
  project: null,
  createdAt: NOW - DAY,
  usedAt: null,
  expiresAt: NOW + 90 * DAY,
  revokedAt: null,
};

test.each<readonly [Partial<Me>, string]>([
  [{}, "Ada L."],
  [{ account: { ...ADA, display: "" } }, "ada"],
  [{ kind: "local", account: null }, "This machine's owner"],
  [{ kind: "token", account: null }, "A program"],
])("%o is %s", (me, text) => {
  expect(whoText({ ...ME, ...me })).toBe(text);
});

test.each<readonly [Partial<AccountView>, string, string]>([
  [{}, "", "plain"],
  [{ admin: true }, "server admin", "good"],
  [{ admin: true, state: "disabled" }, "disabled", "bad"],
  [{ state: "removed" }, "removed", "bad"],
])("an account with %o is marked %s", (account, badge, tone) => {
  expect([accountBadge({ ...ADA, ...account }), accountTone({ ...ADA, ...account })]).toEqual([badge, tone]);
});

test("rights are told in words and in one order, also those that came later", () => {
  expect(inOrder(["audit:read", "runs:write", "runs:read"])).toEqual(["runs:read", "runs:write", "audit:read"]);
  expect(rightText("runs:read")).toBe("see runs and their results");
  expect(rightText("moon:visit")).toBe("moon:visit");
});

test.each<readonly [number, string]>([
  [0, "over"],
  [1, "in 1 minute"],
  [59 * 60_000, "in 59 minutes"],
  [DAY, "in 24 hours"],
  [7 * DAY, "in 7 days"],
])("what ends %d ms from now ends %s", (left, text) => {
  expect(ahead(NOW + left, NOW)).toBe(text);
});

test.each<readonly [Partial<TokenView>, string, boolean]>([
  [{}, "Expires in 90 days, never used", true],
  [{ usedAt: NOW - 3_600_000 }, "Expires in 90 days, last used 1 h ago", true],
  [{ expiresAt: NOW, usedAt: NOW }, "Expired, last used just now", false],
  [{ revokedAt: NOW - DAY }, "Revoked 1 day ago", false],
])("a token with %o: %s", (token, text, live) => {
  expect([tokenTimes({ ...TOKEN, ...token }, NOW), isLive({ ...TOKEN, ...token }, NOW)]).toEqual([text, live]);
});

test("a session is known by its browser and its place", () => {
  const session = { id: "ses_1", browser: "Firefox on Linux", place: "192.0.2.1", openedAt: NOW, usedAt: NOW, current: false };
  expect(sessionText(session)).toBe("Firefox on Linux, from 192.0.2.1");
  expect(sessionText({ ...session, browser: "", place: "" })).toBe("A browser");
});

test("a moment is what a field holds, if it holds one", () => {
  expect(momentOf("2026-01-06T12:00")).toBe(new Date(2026, 0, 6, 12, 0).getTime());
  expect([momentOf(""), momentOf("soon")]).toEqual([null, null]);
});
