/** What the console says of people, projects, sessions and tokens. Pure; every moment comes in as an argument. */

import type { AccountView, Me, ProjectView, SessionView, TokenView } from "../../api/types.gen.ts";
import { type Tone, age, ahead } from "./format.ts";

/** What each right is for; the order in which people are shown them. */
const RIGHTS: ReadonlyMap<string, string> = new Map([
  ["runs:read", "see runs and their results"],
  ["jobs:read", "see jobs and the queue"],
  ["workflows:read", "see stored workflows"],
  ["workers:read", "see who computes"],
  ["runs:write", "start, pause and cancel runs"],
  ["jobs:write", "put in and cancel jobs"],
  ["workflows:write", "store and remove workflows"],
  ["project:read", "see projects, their people and what they use"],
  ["project:manage", "look after projects and their people"],
  ["projects:manage", "make projects, bound them, close them"],
  ["accounts:manage", "invite people and look after accounts"],
  ["queue:pause", "pause the queue"],
  ["workers:manage", "pause and ban workers"],
  ["devices:trust", "mark devices as trusted, forgive them"],
  ["audit:read", "read the audit"],
  ["metrics:read", "read the metrics"],
  ["server:read", "see the server's settings"],
]);

/** In words; a right that this console does not know, by its name. */
export function rightText(right: string): string {
  return RIGHTS.get(right) ?? right;
}

/** In the order in which people are shown them. */
export function inOrder(rights: readonly string[]): readonly string[] {
  const order = [...RIGHTS.keys()];
  return [...rights].sort((one, other) => order.indexOf(one) - order.indexOf(other));
}

/** As whom somebody is here. */
export function whoText({ kind, account }: Me): string {
  if (account !== null) return account.display || account.name;
  return kind === "local" ? "This machine's owner" : "A program";
}

/** `viewer` as it stands in a sentence. */
export function roleText(role: string): string {
  return role === "admin" ? "project admin" : role;
}

/** What somebody can be in a project. */
export const ROLES = ["viewer", "researcher", "admin"] as const;
export const ROLES_HINT = "A viewer reads, a researcher has work computed as well, a project admin also looks after its people.";

/** When it was made, and as what somebody belongs to it. The first project has no moment at which it was made. */
export function projectText({ createdAt }: Pick<ProjectView, "createdAt">, role: string, now: number): string {
  const made = createdAt > 0 ? `Made ${age(createdAt, now)}` : "There from the beginning";
  return role === "" ? made : `${made}; you are ${roleText(role)}`;
}

export function accountTone({ admin, state, underAttack }: AccountView): Tone {
  if (state !== "active" || underAttack) return "bad";
  return admin ? "good" : "plain";
}

/** `admin`, `disabled`; nothing where there is nothing to say. */
export function accountBadge({ admin, state, underAttack }: AccountView): string {
  if (state !== "active") return state;
  if (underAttack) return "under attack";
  return admin ? "server admin" : "";
}

/** `Firefox on Linux, from 192.0.2.1`. */
export function sessionText({ browser, place }: SessionView): string {
  return [browser || "A browser", place].filter((part) => part !== "").join(", from ");
}

export function sessionTimes({ openedAt, usedAt }: SessionView, now: number): string {
  return `Opened ${age(openedAt, now)}, last used ${age(usedAt, now)}`;
}

/** Whether a token still opens something, until when, and whether anybody uses it. */
export function tokenTimes({ usedAt, expiresAt, revokedAt }: TokenView, now: number): string {
  if (revokedAt !== null) return `Revoked ${age(revokedAt, now)}`;
  const used = usedAt === null ? "never used" : `last used ${age(usedAt, now)}`;
  return expiresAt <= now ? `Expired, ${used}` : `Expires ${ahead(expiresAt, now)}, ${used}`;
}

/** What still opens something comes first. */
export function liveFirst<T extends TokenView>(tokens: readonly T[], now: number): readonly T[] {
  return [...tokens].sort((one, other) => Number(isLive(other, now)) - Number(isLive(one, now)));
}

export function isLive({ expiresAt, revokedAt }: TokenView, now: number): boolean {
  return revokedAt === null && expiresAt > now;
}
