/** What a peek tells of accounts, projects, members, sessions and tokens. */

import { afterAll, beforeAll, expect, test } from "vitest";
import type { TokenView } from "../../api/types.gen.ts";
import { tellTimesIn } from "./locale.ts";
import { peekText } from "./peek.ts";
import { accountPeek, memberPeek, projectPeek, sessionPeek, tokenPeek } from "./peoplepeek.ts";

const NOW = Date.UTC(2026, 0, 5, 12, 0);
const DAY = 86_400_000;

beforeAll(() => tellTimesIn("UTC"));
afterAll(() => tellTimesIn("local"));

test("an account, and since when it is disabled", () => {
  const account = { id: "acc_1", name: "ada", display: "", admin: false, createdAt: NOW - DAY, stateAt: NOW, underAttack: false } as const;
  expect(accountPeek({ ...account, state: "disabled" }, NOW)).toMatchObject({ title: "ada", address: "#/people/acc_1" });
  const terms = (it: Parameters<typeof accountPeek>[0]) => accountPeek(it, NOW).facts.map(([term]) => term);
  expect(terms({ ...account, state: "disabled" })).toEqual(["Signs in as", "Stands", "Since", "Made", "Id"]);
  expect(terms({ ...account, state: "active", stateAt: null })).toEqual(["Signs in as", "Made", "Id"]);
});

test("a project, as what the reader belongs to it, and that it takes nothing new", () => {
  const quotas = { openJobs: 0, openRuns: 0, storedBytes: 0, jobsAMinute: 0 };
  const project = { id: "prj_1", slug: "bees", name: "Bees", createdAt: 0, archivedAt: null, quotas };
  expect(peekText(projectPeek(project, "admin", NOW))).toBe(
    "Bees. Short name: bees. You are: project admin. Made: there from the beginning. Id: prj_1",
  );
  const facts = new Map(projectPeek({ ...project, createdAt: NOW, archivedAt: NOW }, "", NOW).facts);
  expect([facts.has("You are"), facts.get("Made"), facts.get("Archived")]).toEqual([false, "12:00:00, just now", "12:00:00, just now"]);
  expect(projectPeek(project, "", NOW).address).toBe("#/projects/bees");
});

test("a member, whose page not everybody may see", () => {
  const member = { account: "acc_1", name: "ada", display: "Ada L.", role: "admin", since: NOW };
  expect(peekText(memberPeek(member, false, NOW))).toBe(
    "Ada L.. Signs in as: ada. Role: project admin. Member since: 12:00:00, just now. Id: acc_1",
  );
  expect(memberPeek(member, false, NOW)).not.toHaveProperty("address");
  expect(memberPeek({ ...member, display: "" }, true, NOW)).toMatchObject({ title: "ada", address: "#/people/acc_1" });
});

test.each([
  [true, ["Session", "Opened", "Last used", "Id"]],
  [false, ["Opened", "Last used", "Id"]],
])("a session, this one: %o", (current, terms) => {
  const session = { id: "ses_1", browser: "Firefox on Linux", place: "192.0.2.1", openedAt: NOW, usedAt: NOW, current };
  const { title, facts } = sessionPeek(session, NOW);
  expect([title, facts.map(([term]) => term)]).toEqual(["Firefox on Linux, from 192.0.2.1", terms]);
});

const TOKEN: TokenView = {
  id: "tok_1",
  name: "laptop",
  scopes: ["runs:write", "runs:read"],
  project: null,
  createdAt: NOW,
  usedAt: null,
  expiresAt: NOW + 90 * DAY,
  revokedAt: null,
};

test.each<readonly [Partial<TokenView>, readonly (readonly [term: string, text: string])[]]>([
  [{}, [["Expires", "in 90 days"]]],
  [{ expiresAt: NOW }, [["Expired", "12:00:00, just now"]]],
  [{ expiresAt: NOW, revokedAt: NOW }, [["Revoked", "12:00:00, just now"]]],
])("a token with %o", (token, ends) => {
  const { facts } = tokenPeek({ ...TOKEN, ...token }, NOW);
  expect(facts.filter(([term]) => ["Expires", "Expired", "Revoked"].includes(term))).toEqual(ends);
});

test("a token says whose it is, where it holds and for what", () => {
  const facts = new Map(tokenPeek({ ...TOKEN, owner: "bob" }, NOW).facts);
  expect([facts.get("Owner"), facts.get("Project"), facts.get("Last used")]).toEqual(["bob", "all of its owner's", "never"]);
  expect(facts.get("May")).toBe("see runs and their results\nstart, pause and cancel runs");
  const inOne = new Map(tokenPeek({ ...TOKEN, project: "scope", usedAt: NOW }, NOW).facts);
  expect([inOne.has("Owner"), inOne.get("Project"), inOne.get("Last used")]).toEqual([false, "scope", "12:00:00, just now"]);
});
