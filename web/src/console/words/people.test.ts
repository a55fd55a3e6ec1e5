/** What the console says of people, sessions, tokens and moments. */

import { expect, test } from "vitest";
import type { AccountView, AuditRowView, Me, TokenView } from "../../api/types.gen.ts";
import { auditFacts, auditPeek, idOf, momentOf } from "./audit.ts";
import { ahead } from "./format.ts";
import {
  accountBadge,
  accountTone,
  inOrder,
  isLive,
  liveFirst,
  projectText,
  rightText,
  sessionText,
  tokenTimes,
  whoText,
} from "./people.ts";

const NOW = 1_000_000_000_000;
const DAY = 86_400_000;

const ADA: AccountView = {
  id: "acc_1",
  name: "ada",
  display: "Ada L.",
  admin: false,
  state: "active",
  createdAt: NOW,
  stateAt: null,
  underAttack: false,
};
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
  [{ admin: true, underAttack: true }, "under attack", "bad"],
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

test("tokens that open something come first, each kind in the order of their making", () => {
  const tokens = ["1", "2", "3", "4"].map((id) => ({ ...TOKEN, id, revokedAt: Number(id) % 2 === 1 ? NOW : null }));
  expect(liveFirst(tokens, NOW).map(({ id }) => id)).toEqual(["2", "4", "1", "3"]);
});

test.each<readonly [number, string, string]>([
  [0, "", "There from the beginning"],
  [NOW - DAY, "viewer", "Made 1 day ago; you are viewer"],
  [NOW - DAY, "admin", "Made 1 day ago; you are project admin"],
])("a project made at %d for a %s: %s", (createdAt, role, text) => {
  expect(projectText({ createdAt }, role, NOW)).toBe(text);
});

test("the audit names whom it knows", () => {
  const names = new Map([
    ["acc_1", "ada"],
    ["prj_2", "scope"],
    ["acc_3", "default"],
    ["prj_1", "default"],
  ]);
  const row = { actor: "acc_1", subject: "acc_2", project: "prj_2", place: "192.0.2.1" } as AuditRowView;
  expect(auditFacts(row, names)).toBe("by ada, to acc_2, in scope, from 192.0.2.1");
  expect(auditFacts({ ...row, actor: "local", subject: null, project: null, place: null }, names)).toBe("by local");
  expect(["Ada", "acc_9", "local", "scope", "default"].map((text) => idOf(text, names))).toEqual([
    "acc_1",
    "acc_9",
    "local",
    "scope",
    "acc_3",
  ]);
});

test("a look at an entry of the audit has all of it", () => {
  const row: AuditRowView = {
    id: "aud_1",
    at: NOW,
    actor: "acc_1",
    action: "account.disabled",
    subject: "acc_2",
    project: null,
    place: "192.0.2.1",
    outcome: "refused",
    details: '{"a":1}',
    previous: "",
    hash: "",
  };
  const { title, facts } = auditPeek(row, new Map([["acc_1", "ada"]]), NOW);
  expect(title).toBe("account.disabled");
  expect(new Map(facts.slice(1))).toEqual(
    new Map([
      ["Outcome", "refused"],
      ["Who", "ada, acc_1"],
      ["To what", "acc_2"],
      ["From", "192.0.2.1"],
      ["Details", '{"a":1}'],
      ["Id", "aud_1"],
    ]),
  );
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
