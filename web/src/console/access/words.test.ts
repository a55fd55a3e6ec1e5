/** What the console says of people, sessions and moments. */

import { expect, test } from "vitest";
import type { AccountView, Me } from "../../api/types.gen.ts";
import { accountBadge, accountTone, ahead, inOrder, momentOf, rightText, sessionText, whoText } from "./words.ts";

const NOW = 1_000_000_000_000;
const DAY = 86_400_000;

const ADA: AccountView = { id: "acc_1", name: "ada", display: "Ada L.", admin: false, state: "active", createdAt: NOW, stateAt: null };
const ME: Me = { kind: "account", account: ADA, fresh: true, session: null, memberships: [], rights: [] };
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

test("a session is known by its browser and its place", () => {
  const session = { id: "ses_1", browser: "Firefox on Linux", place: "192.0.2.1", openedAt: NOW, usedAt: NOW, current: false };
  expect(sessionText(session)).toBe("Firefox on Linux, from 192.0.2.1");
  expect(sessionText({ ...session, browser: "", place: "" })).toBe("A browser");
});

test("a moment is what a field holds, if it holds one", () => {
  expect(momentOf("2026-01-06T12:00")).toBe(new Date(2026, 0, 6, 12, 0).getTime());
  expect([momentOf(""), momentOf("soon")]).toEqual([null, null]);
});
