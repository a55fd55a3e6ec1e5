/** What a peek tells of accounts, projects and their people, of sessions and of tokens. Pure; every moment comes in as an argument. */

import type { AccountView, MemberView, ProjectView, SessionView, TokenView } from "../../api/types.gen.ts";
import { personAddress, projectAddress } from "../app/routes.ts";
import { GRANT, SESSIONS } from "./me.ts";
import { ahead } from "./format.ts";
import { accountBadge, inOrder, isLive, rightText, roleText, sessionText } from "./people.ts";
import { type Peek, moment, told } from "./peek.ts";

const TERMS = {
  name: "Signs in as",
  role: "Role",
  since: "Member since",
  opened: "Opened",
  used: "Last used",
  session: "Session",
  owner: "Owner",
  project: "Project",
  made: "Made",
  stands: "Stands",
  stood: "Since",
  first: "there from the beginning",
  you: "You are",
  slug: "Short name",
  archived: "Archived",
  expires: "Expires",
  expired: "Expired",
  revoked: "Revoked",
  may: "May",
  id: "Id",
  never: "never",
} as const;

export function accountPeek(account: AccountView, now: number): Peek {
  const { id, name, display, createdAt, stateAt } = account;
  return {
    title: display || name,
    mark: undefined,
    address: personAddress(id),
    facts: told([
      [TERMS.name, name],
      [TERMS.stands, accountBadge(account)],
      [TERMS.stood, stateAt === null ? "" : moment(stateAt, now)],
      [TERMS.made, moment(createdAt, now)],
      [TERMS.id, id],
    ]),
  };
}

/** `role`: as what the reader belongs to it; empty where they do not. */
export function projectPeek({ id, slug, name, createdAt, archivedAt }: ProjectView, role: string, now: number): Peek {
  return {
    title: name,
    mark: undefined,
    address: projectAddress(slug),
    facts: told([
      [TERMS.slug, slug],
      [TERMS.you, role === "" ? "" : roleText(role)],
      [TERMS.made, createdAt > 0 ? moment(createdAt, now) : TERMS.first],
      [TERMS.archived, archivedAt === null ? "" : moment(archivedAt, now)],
      [TERMS.id, id],
    ]),
  };
}

/** `opens`: the reader may see the page of the account. */
export function memberPeek({ account, name, display, role, since }: MemberView, opens: boolean, now: number): Peek {
  return {
    title: display || name,
    mark: undefined,
    ...(opens && { address: personAddress(account) }),
    facts: told([
      [TERMS.name, name],
      [TERMS.role, roleText(role)],
      [TERMS.since, moment(since, now)],
      [TERMS.id, account],
    ]),
  };
}

export function sessionPeek(session: SessionView, now: number): Peek {
  const { id, openedAt, usedAt, current } = session;
  return {
    title: sessionText(session),
    mark: undefined,
    facts: told([
      [TERMS.session, current ? SESSIONS.current : ""],
      [TERMS.opened, moment(openedAt, now)],
      [TERMS.used, moment(usedAt, now)],
      [TERMS.id, id],
    ]),
  };
}

/** `owner`: the name of whose it is, where that is told. */
export function tokenPeek(token: TokenView & { readonly owner?: string }, now: number): Peek {
  const { id, name, owner, project, scopes, createdAt, usedAt, expiresAt, revokedAt } = token;
  return {
    title: name,
    mark: undefined,
    facts: told([
      [TERMS.owner, owner],
      [TERMS.project, project ?? GRANT.all],
      [TERMS.made, moment(createdAt, now)],
      [TERMS.used, usedAt === null ? TERMS.never : moment(usedAt, now)],
      [TERMS.revoked, revokedAt === null ? "" : moment(revokedAt, now)],
      [TERMS.expires, isLive(token, now) ? ahead(expiresAt, now) : ""],
      [TERMS.expired, revokedAt === null && expiresAt <= now ? moment(expiresAt, now) : ""],
      [TERMS.may, inOrder(scopes).map(rightText).join("\n")],
      [TERMS.id, id],
    ]),
  };
}
